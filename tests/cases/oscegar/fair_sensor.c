// A sensor that is asked again and again changes again and again: every wait is answered.
// args: check --engine oscegar --os-checks=response --oil sensor.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

unsigned char read_sensor(void);

TASK(poll)
{
    static unsigned char before;
    unsigned char now = read_sensor();
    if (now == 1 && before == 0) {
        SetEvent(handler, on);
    } else if (now == 0 && before == 1) {
        SetEvent(handler, off);
    }
    before = now;
    TerminateTask();
}

TASK(handler)
{
    while (1) {
        WaitEvent(on);
        ClearEvent(on);
        WaitEvent(off);
        ClearEvent(off);
    }
}
