// A task without a function would do anything.
// args: show ast --oil application.inc
// expect: exit 3
// expect: stderr error: the program does not define `TASK(log)`, which the OIL description has
#include "os.h"

TASK(control)
{
    TerminateTask();
}

ISR(button)
{
}
