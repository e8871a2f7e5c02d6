// The way that a motor needs to stop from a speed: the sum of all speeds below. Commands carry a seal that depends on where
// the carriage is; three of them in a row take it from its rest to the mark.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned short read_speed(void);
extern unsigned read_command(void);

unsigned stopping(unsigned short speed)
{
    unsigned way = 0;
    while (speed > 0) {
        way += speed;
        speed--;
    }
    return way;
}

int main(void)
{
    unsigned position = 0;
    while (1) {
        unsigned way = stopping(read_speed() & 0xfff), command = read_command();
        if (command * 2654435761u == 0x31c80000u + position)
            position += way;
        else
            position = 0;
        assert(position != 8386560u + 4950u + 3003u);
    }
}
