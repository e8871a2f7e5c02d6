// The task of the slow alarm locks the door for good: the environment cannot open it any more.
// args: check --engine oscegar --os-checks=response --oil locking.inc
// expect: exit 1
// expect: last FALSE(request)
#include "os.h"

unsigned char door(void);

static unsigned char locked;

TASK(sample)
{
    unsigned char now = door();
    if (now != 0 && locked == 0) {
        SetEvent(listen, opened);
    }
    TerminateTask();
}

TASK(listen)
{
    while (1) {
        WaitEvent(opened);
        ClearEvent(opened);
    }
}

TASK(show)
{
    locked = 1;
    TerminateTask();
}
