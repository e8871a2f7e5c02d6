// The task is activated again before it has run.
// args: check --engine oscegar --os-checks=activation --oil waits.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout no activation of a task is lost
#include "os.h"

TASK(t1)
{
    ActivateTask(t1);
    TerminateTask();
}

TASK(t2)
{
    TerminateTask();
}
