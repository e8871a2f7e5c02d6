// The state 3 is behind a condition that the tasks never make true.
// args: check --engine oscegar --oil sensor.inc --reach state==3
// expect: exit 0
// expect: last TRUE
#include "os.h"

unsigned char read_sensor(void);
static int state, level;

TASK(poll)
{
    if (read_sensor() == 1 && state == 0) {
        state = 1;
        level = 5;
    } else if (state == 1) {
        state = 2;
        level = 7;
    } else if (state == 2 && level == 5) {
        state = 3;
    } else {
        state = 0;
    }
    TerminateTask();
}

TASK(handler)
{
    TerminateTask();
}
