/*
 * What must hold of every application, as checks. Each is there if it was asked for (config.h); the kernel itself knows
 * nothing of them.
 *
 * RESPONSE    a task that waits is woken by an event, in every environment that is fair. One task is watched, any of
 *             those that can wait: a request is its wait, the response the event that ends it.
 * DEADLOCK    the system does not idle for ever while tasks wait.
 * ACTIVATION  no activation is lost because the task has as many as it may have.
 * RESOURCE    resources are taken by those who may, given back in the reverse order, and before a task ends or waits.
 * LEVEL       services are called from where they may be, not in critical sections, and tasks end by a service.
 * ERROR       no service returns any other error.
 */
#include "state.h"

#define OSEK_CHECKS                                                                                                \
    (OSEK_CHECK_RESPONSE || OSEK_CHECK_DEADLOCK || OSEK_CHECK_ACTIVATION || OSEK_CHECK_RESOURCE || OSEK_CHECK_LEVEL \
     || OSEK_CHECK_ERROR)

#if OSEK_CHECKS
extern void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

#define OSEK_FAIL(rule) __assert_fail(rule, __FILE__, __LINE__, __func__)
#endif

#if OSEK_CHECK_RESPONSE
unsigned char __VERIFIER_nondet_uchar(void);
void __plumb_request(void);
void __plumb_response(void);

static TaskType osek_watched;
/* Grows with every response: a run that comes to the same state again has had none in between. */
static uint32_t osek_responses;

/* The choice is an input where there is one. */
void osek_monitor_start(void)
{
    TaskType task;
    uint8_t waiters = 0;
    for (task = 0; task < OSEK_TASK_COUNT; task++) {
        if (osek_tasks[task].extended) {
            osek_watched = task;
            waiters++;
        }
    }
    if (waiters > 1) {
        uint8_t chosen = __VERIFIER_nondet_uchar();
        if (chosen < OSEK_TASK_COUNT && osek_tasks[chosen].extended) {
            osek_watched = chosen;
        }
    }
}

void osek_monitor_wait(TaskType task)
{
    if (task == osek_watched) {
        __plumb_request();
    }
}

void osek_monitor_wake(TaskType task)
{
    if (task == osek_watched) {
        osek_responses++;
        __plumb_response();
    }
}
#else
void osek_monitor_start(void)
{
}

void osek_monitor_wait(TaskType task)
{
    (void)task;
}

void osek_monitor_wake(TaskType task)
{
    (void)task;
}
#endif

/* No task is ready and no interrupt can occur. Whoever waits now waits for ever. */
void osek_monitor_halt(void)
{
#if OSEK_CHECK_DEADLOCK || OSEK_CHECK_RESPONSE
    TaskType task;
    for (task = 0; task < OSEK_TASK_COUNT; task++) {
        if (osek_task_states[task].state == WAITING) {
            OSEK_FAIL("a task that waits is woken by an event");
        }
    }
#endif
}

#if OSEK_CHECKS
static void osek_classify(OSServiceIdType service, StatusType code)
{
    if (code == E_OS_LIMIT) {
#if OSEK_CHECK_ACTIVATION
        OSEK_FAIL("no activation of a task is lost");
#endif
    } else if (code == E_OS_RESOURCE
               || ((service == OSServiceId_GetResource || service == OSServiceId_ReleaseResource)
                   && (code == E_OS_ACCESS || code == E_OS_NOFUNC || code == E_OS_ID))) {
#if OSEK_CHECK_RESOURCE
        OSEK_FAIL("resources are released in reverse order, before the task ends or waits");
#endif
    } else if (code == E_OS_CALLEVEL || code == E_OS_DISABLEDINT
               || (service == OSServiceId_TerminateTask && code == E_OS_STATE)) {
#if OSEK_CHECK_LEVEL
        OSEK_FAIL("services are called where they may be, and tasks end by a service");
#endif
    } else {
#if OSEK_CHECK_ERROR
        OSEK_FAIL("no service returns an error");
#endif
    }
}
#endif

/* A service fails, or an alarm or a message has no effect. */
void osek_monitor_error(OSServiceIdType service, StatusType code)
{
#if OSEK_CHECKS
    osek_classify(service, code);
#else
    (void)service;
    (void)code;
#endif
}

/* What the specification leaves undefined. */
void osek_monitor_undefined(OSServiceIdType service, StatusType code)
{
#if OSEK_CHECKS
    osek_classify(service, code);
#else
    (void)service;
    (void)code;
#endif
}
