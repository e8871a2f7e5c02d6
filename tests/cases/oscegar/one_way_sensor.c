// After the first event none is set any more: no environment answers the second wait.
// args: check --engine oscegar --os-checks=response --oil sensor.inc
// expect: exit 1
// expect: last FALSE(request)
#include "os.h"

unsigned char read_sensor(void);

TASK(poll)
{
    static unsigned char is_done;
    if (read_sensor() == 1 && !is_done) {
        is_done = 1;
        SetEvent(handler, on);
    }
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
