// A loop of three rounds, in each of which a loop waits for what nobody does: that the outer one counts its rounds ends nothing.
// args: check --engine oscegar --os-checks=response --oil waits.inc
// expect: exit 1
// expect: last FALSE(request)
#include "os.h"

static volatile int flag;

TASK(t1)
{
    ActivateTask(t2);
    for (int i = 0; i < 3; i++)
        while (flag == 0)
            ;
    SetEvent(t2, e1);
    TerminateTask();
}

TASK(t2)
{
    WaitEvent(e1);
    TerminateTask();
}
