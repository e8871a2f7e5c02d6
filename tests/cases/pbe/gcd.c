// A wheel of 97 teeth and another one wear out if they have a common divisor; it is found by subtraction. Three such wheels in
// a row, each with its seal, are one too many.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned short read_teeth(void);
extern unsigned read_code(void);

unsigned short gcd(unsigned short a)
{
    unsigned short b = 97;
    while (a != 0) {
        if (a >= b) {
            a -= b;
        } else {
            unsigned short t = a;
            a = b;
            b = t;
        }
    }
    return b;
}

int main(void)
{
    unsigned worn = 0;
    while (1) {
        unsigned short teeth = read_teeth();
        if (teeth > 40000 && gcd(teeth) != 1 && read_code() * 2654435761u == 0xc2960000u + worn + teeth)
            worn++;
        assert(worn < 3);
    }
}
