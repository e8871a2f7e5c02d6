// The largest of three levels, by emptying all of them drop by drop.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned short read_level(void);
extern unsigned read_code(void);

unsigned short largest(unsigned short a, unsigned short b, unsigned short c)
{
    unsigned short drops = 0;
    while (a || b || c) {
        if (a)
            a--;
        if (b)
            b--;
        if (c)
            c--;
        drops++;
    }
    return drops;
}

int main(void)
{
    unsigned floods = 0;
    while (1) {
        unsigned short a = read_level() & 0xfff, b = read_level() & 0xfff, c = read_level() & 0xfff;
        unsigned short most = largest(a, b, c);
        if (most >= 4000 && read_code() * 2654435761u == 0x5d3b0000u + a + b + c + most * floods)
            floods++;
        assert(floods < 3);
    }
}
