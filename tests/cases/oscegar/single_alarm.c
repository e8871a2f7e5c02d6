// The alarm expires once, and who waits a second time waits for ever.
// args: check --engine oscegar --os-checks=response --oil single_alarm.inc
// expect: exit 1
// expect: last FALSE(request)
#include "os.h"

TASK(poll)
{
    TerminateTask();
}

TASK(report)
{
    while (1) {
        WaitEvent(due);
        ClearEvent(due);
    }
}
