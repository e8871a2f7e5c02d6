// Under the resource the two writes are one for the other task, so that the kernel need not ask for interrupts between them.
// args: check --engine explicit --oil ceiling_protects.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

extern void reach_error(void);
static int x, y;

TASK(high)
{
    GetResource(pair);
    if (x != y) {
        reach_error();
    }
    ReleaseResource(pair);
    TerminateTask();
}

TASK(low)
{
    GetResource(pair);
    x = x + 1;
    y = y + 1;
    ReleaseResource(pair);
    TerminateTask();
}

ISR(wake)
{
    ActivateTask(high);
}
