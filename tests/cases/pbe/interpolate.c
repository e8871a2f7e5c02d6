// The characteristic of a sensor, walked step by step from its start to the reading. Three readings in a row above the limit,
// each with its seal, trip.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned short read_adc(void);
extern unsigned read_code(void);

unsigned short temperature(unsigned short reading)
{
    unsigned short point = 0, degrees = 40;
    while (reading - point >= 4) {
        point += 4;
        degrees += 3;
    }
    return degrees;
}

int main(void)
{
    unsigned trips = 0;
    while (1) {
        unsigned short t = temperature(read_adc() & 0x1fff);
        if (t > 4000 && read_code() * 2654435761u == 0xea180000u + t)
            trips++;
        assert(trips < 3);
    }
}
