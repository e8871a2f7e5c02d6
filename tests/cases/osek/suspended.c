// While interrupts are suspended nothing comes between.
// args: check --oil interrupts.inc --engine explicit --timeout 300
// expect: exit 0
// expect: last TRUE
#include "kernel.h"
#include "kernel_id.h"
extern void reach_error(void);

DeclareTask(worker);
DeclareTask(urgent);

static int count, presses;

TASK(worker)
{
    SuspendAllInterrupts();
    count = count + 1;
    if (count != presses + 1)
        reach_error();
    ResumeAllInterrupts();
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
