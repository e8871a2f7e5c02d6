// An application with the kernel model and its tables is one program.
// args: show ast --oil application.inc
// expect: stdout osek_task_control
// expect: stdout WaitEvent
// expect: stderr ignored in the OIL description: TASK.STACKSIZE
// expect: no-stderr error
#include "kernel.h"
#include "kernel_id.h"

DeclareTask(control);
DeclareTask(log);
DeclareEvent(wake);

TASK(control)
{
    WaitEvent(wake);
    ActivateTask(log);
    TerminateTask();
}

TASK(log)
{
    TerminateTask();
}

ISR(button)
{
    SetEvent(control, wake);
}
