// The state 2 is reached after the second tick.
// args: check --engine oscegar --oil sensor.inc --reach state==2
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout a state in which `state==2` holds is reached
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
