// args: check --engine simulate --timeout 0.3
// expect: exit 2
// expect: stdout no answer: no violation was found within the timeout of 0.3 s
// expect: stdout explored:
// expect: stdout runs
// expect: last UNKNOWN
#include <assert.h>
extern int sensor(void);
int main(void)
{
    for (;;) {
        int x = sensor() & 0xff;
        assert(x * x <= 65025);
    }
}
