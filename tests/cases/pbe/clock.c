// A clock that counts seconds of the day into hours by subtraction; the alarm rings at its hour on the codes of four days.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned read_seconds(void);
extern unsigned read_code(void);

unsigned char minutes(unsigned short seconds)
{
    unsigned char m = 0;
    while (seconds >= 60) {
        seconds -= 60;
        m++;
    }
    return m;
}

int main(void)
{
    unsigned days = 0;
    while (1) {
        unsigned char m = minutes(read_seconds() % 14400u);
        unsigned code = read_code();
        if (m == 233 && code * 2654435761u == 0x78440000u + days * 5u)
            days++;
        assert(days < 4);
    }
}
