// Two alarms of one counter come in many phases, in all of which the door is seen to open. What the last sample was decides about the next event.
// args: check --engine oscegar --os-checks=response --oil long_phases.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

unsigned char door(void);
void lamp(int on);

TASK(sample)
{
    static unsigned char before;
    unsigned char now = door();
    if (now != 0 && before == 0) {
        SetEvent(listen, opened);
    }
    before = now;
    TerminateTask();
}

TASK(listen)
{
    while (1) {
        WaitEvent(opened);
        ClearEvent(opened);
        lamp(1);
    }
}

TASK(show)
{
    lamp(0);
    TerminateTask();
}
