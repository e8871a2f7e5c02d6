// Behind the release a handler may let two tasks run one after the other. Before it the first task is dispatched between them, which a hook sees.
// args: check --engine explicit --oil hook_between.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include "os.h"
void reach_error(void);
static int x, prev = 9, fired;
void PreTaskHook(void) { TaskType t = 0; GetTaskID(&t); if (t == M) prev = 1; if (t == T) prev = 0; }
ISR(irq) { if (!fired) { fired = 1; ActivateTask(H); ActivateTask(M); } }
TASK(M) { TerminateTask(); }
TASK(H) { if (x == 1 && prev == 1) reach_error(); TerminateTask(); }
TASK(T) {
    for (;;) {
    GetResource(R); x = 1; ReleaseResource(R);
    GetResource(R); x = 0; ReleaseResource(R);
    }
}
