// The event is never set: the system idles while a task waits.
// args: check --engine oscegar --os-checks=response --oil waits.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout a task that waits is woken by an event
#include "os.h"

int wait_sw;

TASK(t1)
{
    ActivateTask(t2);
    if (wait_sw == 2) {
        SetEvent(t2, e1);
    }
    TerminateTask();
}

TASK(t2)
{
    wait_sw = 1;
    WaitEvent(e1);
    TerminateTask();
}
