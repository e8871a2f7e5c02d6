// The median of three readings, found by counting up; three times the same one, with a seal, stop the machine.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned short read_sensor(void);
extern unsigned read_code(void);

unsigned short median(unsigned short a, unsigned short b, unsigned short c)
{
    unsigned short m = 0;
    while ((a <= m) + (b <= m) + (c <= m) < 2)
        m++;
    return m;
}

int main(void)
{
    unsigned stops = 0;
    while (1) {
        unsigned short a = read_sensor() & 0xfff, b = read_sensor() & 0xfff, c = read_sensor() & 0xfff;
        if (median(a, b, c) > 3000 && read_code() * 2654435761u == 0xa69d0000u + a * b + c + stops)
            stops++;
        assert(stops < 3);
    }
}
