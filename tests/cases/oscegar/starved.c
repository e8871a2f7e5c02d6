// The task that sets the event computes for ever before it: a lasso.
// args: check --engine oscegar --os-checks=response --oil waits.inc
// expect: exit 1
// expect: last FALSE(request)
// expect: stdout a request is never answered
#include "os.h"

static unsigned char spin;

TASK(t1)
{
    ActivateTask(t2);
    while (spin < 4) {
        spin = (spin + 1) & 3;
    }
    SetEvent(t2, e1);
    TerminateTask();
}

TASK(t2)
{
    WaitEvent(e1);
    TerminateTask();
}
