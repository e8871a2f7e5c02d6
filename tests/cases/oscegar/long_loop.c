// A loop of five million iterations is abstracted, and known to end.
// args: check --engine oscegar --os-checks=response --oil waits.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

static unsigned digits;

TASK(t1)
{
    int count;
    ActivateTask(t2);
    for (count = 0; count < 5000000; count++) {
        digits++;
    }
    SetEvent(t2, e1);
    TerminateTask();
}

TASK(t2)
{
    WaitEvent(e1);
    TerminateTask();
}
