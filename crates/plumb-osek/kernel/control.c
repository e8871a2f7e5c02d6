/*
 * Execution control (11.3, 11.4, 13.7). The system runs on stacks of its own; the stack of main waits in StartOS,
 * which returns when the system is shut down.
 */
#include "state.h"

uint8_t osek_kernel_stack;
static AppModeType osek_mode;

/* It has no status to return, so that only the error hook learns of a call from a critical section. */
AppModeType GetActiveApplicationMode(void)
{
    if (osek_in_critical_section()) {
        osek_undefined(OSServiceId_GetActiveApplicationMode, E_OS_DISABLEDINT);
        if (OSEK_EXTENDED_STATUS) {
            osek_fail(OSServiceId_GetActiveApplicationMode, E_OS_DISABLEDINT, 0, 0, 0);
        }
    }
    return osek_mode;
}

/* Tasks that start with the mode are activated in the order of the table. The specification leaves it open. */
static void osek_start_tasks(void)
{
    TaskType task;
    for (task = 0; task < OSEK_TASK_COUNT; task++) {
        if ((osek_tasks[task].autostart >> osek_mode & 1u) != 0) {
            osek_activate(task);
        }
    }
}

static void osek_begin_kernel(void *unused)
{
    (void)unused;
    osek_call_startup_hook();
    osek_start_tasks();
    osek_start_alarms(osek_mode);
    osek_dispatch();
}

void StartOS(AppModeType Mode)
{
    if (osek_kernel_stack != 0 || Mode >= OSEK_MODE_COUNT) {
        osek_undefined(OSServiceId_StartOS, osek_kernel_stack != 0 ? E_OS_STATE : E_OS_ID);
        return;
    }
    osek_mode = Mode;
    osek_monitor_start();
    osek_kernel_stack = (uint8_t)__plumb_stack_new(osek_begin_kernel, NULL);
    __plumb_stack_switch(osek_kernel_stack);
}

/* The hook runs, and nothing after it: no task, no handler, no other hook. */
void ShutdownOS(StatusType Error)
{
    if ((osek_current.level & (OSEK_IN_TASK | OSEK_IN_ISR2 | OSEK_IN_ERROR_HOOK | OSEK_IN_STARTUP_HOOK)) == 0) {
        osek_undefined(OSServiceId_ShutdownOS, E_OS_CALLEVEL);
        if (osek_current.level == OSEK_OUTSIDE || osek_current.level == OSEK_IN_SHUTDOWN_HOOK) {
            return;
        }
    }
    osek_call_shutdown_hook(Error);
    osek_current.level = OSEK_OUTSIDE;
    __plumb_stack_end(0);
}
