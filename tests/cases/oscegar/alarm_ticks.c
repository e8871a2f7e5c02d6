// Time passes between two services of the only task.
// args: check --engine explicit --oil alarm_ticks.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include "os.h"
void reach_error(void);
TASK(T) {
    TickType a = 0, b = 0;
    GetAlarm(once, &a); GetAlarm(once, &b);
    if (a != b) reach_error();
    TerminateTask();
}
