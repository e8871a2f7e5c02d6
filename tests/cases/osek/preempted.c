// A handler activates a task of higher priority between a read and the write of what was read.
// args: check --oil interrupts.inc --engine explicit --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include "kernel.h"
#include "kernel_id.h"
extern void reach_error(void);

DeclareTask(worker);
DeclareTask(urgent);

static int count, presses;

TASK(worker)
{
    count = count + 1;
    if (count != presses + 1)
        reach_error();
    TerminateTask();
}

TASK(urgent)
{
    count++;
    presses++;
    TerminateTask();
}

ISR(button)
{
    if (presses == 0)
        ActivateTask(urgent);
}

int main(void)
{
    StartOS(OSDEFAULTAPPMODE);
    return 0;
}
