// The event comes with every twentieth tick: how long the alarm has to go must not be forgotten.
// args: check --engine oscegar --os-checks=response --oil slow_alarm.inc
// expect: exit 0
// expect: last TRUE
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
