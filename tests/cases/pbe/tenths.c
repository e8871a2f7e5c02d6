// A display on a controller without division: tenths are counted by subtraction. Three rolling codes in a row, each with a
// high level, open the lock.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned receive(void);
static const unsigned seal[3] = {0x8a7b88b5u, 0x832b7069u, 0xb2c17ac9u};

unsigned short tenths(unsigned short x)
{
    unsigned short q = 0;
    while (x >= 10) {
        x -= 10;
        q++;
    }
    return q;
}

int main(void)
{
    unsigned stage = 0;
    while (1) {
        unsigned code = receive();
        unsigned short level = tenths(code & 0xffff);
        if (code * 2654435761u == seal[stage] && level > 1500)
            stage++;
        assert(stage < 3);
    }
}
