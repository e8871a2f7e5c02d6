// Loops that count, one within the other, and a call with a third.
// args: check --engine oscegar --os-checks=response --oil waits.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

static volatile int seen;

static void wait_a_little(void)
{
    for (int k = 0; k < 40; k++)
        seen = seen ^ 1;
}

TASK(t1)
{
    ActivateTask(t2);
    for (int i = 0; i < 50; i++) {
        for (int j = 0; j < 45; j++)
            seen = seen ^ 2;
        wait_a_little();
    }
    SetEvent(t2, e1);
    TerminateTask();
}

TASK(t2)
{
    WaitEvent(e1);
    TerminateTask();
}
