// A handler waits for another one, which is promised there whatever the first one has interrupted.
// args: check --engine oscegar --os-checks=response --oil nested_interrupt.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

static volatile unsigned char flag;

ISR(h1)
{
    while (flag == 0)
        ;
    flag = 0;
}

ISR(h2)
{
    flag = 1;
    SetEvent(t2, e1);
}

TASK(t1)
{
    TerminateTask();
}

TASK(t2)
{
    while (1) {
        WaitEvent(e1);
        ClearEvent(e1);
    }
}
