// The same for abstract tasks.
// args: check --engine oscegar --oil reach_together.inc --reach x==1&&y==1
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout a state in which `x==1&&y==1` holds is reached
#include "os.h"

static int x, y;

TASK(high)
{
    y = 1;
    y = 0;
    TerminateTask();
}

TASK(low)
{
    x = 1;
    x = 0;
    TerminateTask();
}
