// args: check --engine kind --timeout 10
// expect: exit 2
// expect: stdout no answer: no violation was found within the timeout of 10 s
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned rows, columns = 0;
    for (unsigned turn = 0; turn < 200000000; turn++)
        for (rows = 0; rows < 20; rows++)
            for (columns = 0; columns < 30; columns += 3)
                assert(rows + columns + turn / 199999999 < 47);
    return 0;
}
