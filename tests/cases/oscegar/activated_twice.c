// A task that activates the more urgent one twice loses nothing: it runs in between.
// args: check --engine oscegar --os-checks=activation --oil waits.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

TASK(t1)
{
    ActivateTask(t2);
    ActivateTask(t2);
    TerminateTask();
}

TASK(t2)
{
    TerminateTask();
}
