// A cast takes off the bits that the counter would need to get to its end.
// args: check --engine oscegar --os-checks=response --oil waits.inc
// expect: exit 1
// expect: last FALSE(request)
#include "os.h"

TASK(t1)
{
    unsigned i = 0;
    ActivateTask(t2);
    while (i < 300)
        i = (unsigned char)(i + 1);
    SetEvent(t2, e1);
    TerminateTask();
}

TASK(t2)
{
    WaitEvent(e1);
    TerminateTask();
}
