// The alarm may set the event between two services of the only task.
// args: check --engine explicit --oil alarm_sets_event.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include "os.h"
void reach_error(void);
TASK(T) {
    EventMaskType a = 0, b = 0;
    GetEvent(T, &a); GetEvent(T, &b);
    if (a != b) reach_error();
    TerminateTask();
}
