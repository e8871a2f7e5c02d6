// Without the resource the other task runs between the two writes.
// args: check --engine explicit --oil ceiling_protects.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
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
    x = x + 1;
    y = y + 1;
    TerminateTask();
}

ISR(wake)
{
    ActivateTask(high);
}
