// The second run takes both summaries out of the cache.
//
// args: check --engine pbe --threads 1 --unwind 3 --stats --timeout 60
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout pbe: examples
// expect: no-stdout cached summaries
// then: check --engine pbe --threads 1 --unwind 3 --stats --timeout 60
// expect: then-exit 1
// expect: then cached summaries 2
// expect: then FALSE(unreach-call)
#include <assert.h>
extern unsigned read_sensor(void);
extern unsigned read_code(void);

unsigned level(unsigned x)
{
    unsigned n = 0;
    while (x >= 1000) {
        x -= 1000;
        n++;
    }
    return n;
}

unsigned mode(unsigned x)
{
    if (x < 30)
        return 0;
    return x < 50 ? 1 : 2;
}

int main(void)
{
    while (1) {
        unsigned x = read_sensor() & 0xffff;
        assert(!(level(x) == 60 && mode(read_code()) == 1 && x % 7 == 3));
    }
}
