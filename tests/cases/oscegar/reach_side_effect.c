// What is looked for must not change the program.
// args: check --engine oscegar --oil waits.inc --reach state=3
// expect: exit 3
// expect: stderr it has side effects
#include "os.h"

int state;

TASK(t1)
{
    TerminateTask();
}

TASK(t2)
{
    TerminateTask();
}
