// The length of a vector by an integer square root that subtracts odd numbers.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned short read_x(void);
extern unsigned short read_y(void);
extern unsigned read_code(void);

unsigned short root(unsigned x)
{
    unsigned short r = 0;
    unsigned odd = 1;
    while (x >= odd) {
        x -= odd;
        odd += 2;
        r++;
    }
    return r;
}

int main(void)
{
    unsigned strikes = 0;
    while (1) {
        unsigned x = read_x() & 0x3ff, y = read_y() & 0x3ff, code = read_code();
        unsigned short length = root(x * x + y * y);
        if (length > 1200 && code * 2654435761u == 0x92550000u + (x << 6) + strikes)
            strikes++;
        assert(strikes < 3);
    }
}
