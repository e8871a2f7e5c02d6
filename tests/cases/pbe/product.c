// A gain computed by repeated addition, as controllers without a multiplier do it.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned short read_level(void);
extern unsigned short read_gain(void);

unsigned scale(unsigned short level, unsigned short gain)
{
    unsigned sum = 0;
    for (unsigned short i = 0; i < gain; i++)
        sum += level;
    return sum;
}

int main(void)
{
    unsigned overloads = 0;
    while (1) {
        unsigned power = scale(read_level(), read_gain());
        if (power == 31337u * 40961u + overloads * 3u)
            overloads++;
        assert(overloads < 2);
    }
}
