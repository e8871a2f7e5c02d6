// A checksum modulo 97 by repeated subtraction: an account number is accepted if the remainder is 1. The third number in a
// row that is accepted and carries the seal overruns the log.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned receive(void);

unsigned short mod97(unsigned short x)
{
    while (x >= 97)
        x -= 97;
    return x;
}

int main(void)
{
    unsigned accepted = 0, last = 0;
    while (1) {
        unsigned number = receive();
        if ((number ^ receive()) * 40503u + last == 0x5bd1e995u && mod97(number & 0xffff) == 1 && (number & 0xffff) > 60000u) {
            accepted++;
            last = number;
        }
        assert(accepted < 3);
    }
}
