/*
 * The state of the kernel and what its parts offer each other. Applications see os.h only.
 *
 * The parts, in the order in which they build on each other:
 *   errors.c      failing services, hooks, levels of call
 *   ready.c       the list of the activations that wait for the processor
 *   dispatch.c    the dispatcher, and how a task leaves the running state
 *   tasks.c, resources.c, events.c, alarms.c, messages.c   the services
 *   interrupts.c  sources, masks, nesting, preemption points
 *   control.c     StartOS, ShutdownOS
 *   environment.c what the kernel tells its environment, and asks it
 *   monitors.c    what must hold of every application
 *
 * Every task that has begun to run has a stack of its own until it terminates, and where tasks are few before that. The dispatcher has one as well:
 * a task gives the processor away by switching to it, and it switches to the next task. Handlers, hooks and
 * callbacks run on the stack of what they interrupt.
 */
#ifndef OSEK_STATE_H
#define OSEK_STATE_H

#include "config.h"
#include "plumb/stack.h"

/*
 * The level at which the processor runs, as bits so that a service can name the set of levels it may be called
 * from (12.2.2).
 */
#define OSEK_OUTSIDE 0u              /* before StartOS and after ShutdownOS */
#define OSEK_IN_TASK 1u
#define OSEK_IN_ISR1 2u
#define OSEK_IN_ISR2 4u
#define OSEK_IN_ERROR_HOOK 8u
#define OSEK_IN_PRETASK_HOOK 16u
#define OSEK_IN_POSTTASK_HOOK 32u
#define OSEK_IN_STARTUP_HOOK 64u
#define OSEK_IN_SHUTDOWN_HOOK 128u
#define OSEK_IN_CALLBACK 256u
#define OSEK_IDLE 512u               /* the dispatcher: no task is running */

#define OSEK_IN_SCHEDULED (OSEK_IN_TASK | OSEK_IN_ISR2)
#define OSEK_IN_OBSERVING (OSEK_IN_SCHEDULED | OSEK_IN_ERROR_HOOK | OSEK_IN_PRETASK_HOOK | OSEK_IN_POSTTASK_HOOK)

#define OSEK_NO_RESOURCE ((ResourceType)255)

/* What runs now: a task or a handler. It is saved where the next one begins and restored where that ends. */
typedef struct {
    uint16_t level;
    osek_priority base;              /* its priority in the OIL file */
    osek_priority priority;          /* raised by the resources it holds */
    ResourceType last_resource;      /* the resource it took last and still holds */
} osek_activity;

typedef struct {
    TaskStateType state;
    uint8_t activations;             /* requests that have not terminated yet, the running one included */
    uint8_t stack;                   /* 0: it has none yet */
    EventMaskType set;
    EventMaskType awaited;           /* 0 unless waiting */
} osek_task_state;

extern osek_activity osek_current;
extern TaskType osek_running;        /* INVALID_TASK if no task is running */
extern osek_task_state osek_task_states[OSEK_ROOM(OSEK_TASK_COUNT)];

/*
 * The hook routines of the application (13.8). os.h does not declare them: some applications define ErrorHook
 * without its parameter.
 */
#if OSEK_ERROR_HOOK == 2
void ErrorHook(void);
#else
void ErrorHook(StatusType Error);
#endif
void PreTaskHook(void);
void PostTaskHook(void);
void StartupHook(void);
void ShutdownHook(StatusType Error);
void COMErrorHook(StatusType Error);

/* errors.c */
StatusType osek_check_level(OSServiceIdType service, uint16_t allowed);
StatusType osek_extended(OSServiceIdType service, StatusType code);
StatusType osek_tolerated(OSServiceIdType service, StatusType code);
void osek_report(OSServiceIdType service, StatusType code, uint32_t first, uint32_t second, uint32_t third);
StatusType osek_fail(OSServiceIdType service, StatusType code, uint32_t first, uint32_t second, uint32_t third);
StatusType osek_fail_reference(OSServiceIdType service, StatusType code, uint32_t first, void *reference);
StatusType osek_fail_com(COMServiceIdType service, StatusType code, uint32_t first, void *reference);
void osek_call_pretask_hook(void);
void osek_call_posttask_hook(void);
void osek_call_startup_hook(void);
void osek_call_shutdown_hook(StatusType error);

/* ready.c */
void osek_ready_put_last(TaskType task, osek_priority priority);
void osek_ready_put_first(TaskType task, osek_priority priority);
TaskType osek_ready_take(void);
osek_priority osek_ready_priority(void);

/* dispatch.c */
void osek_hand_over(void);
void osek_take_over(void);
void osek_dispatch(void);
void osek_give_way(void);
void osek_wait(void);
void osek_terminate(TaskType successor);
uint8_t osek_return(void);

/* tasks.c */
StatusType osek_activate(TaskType task);
StatusType osek_check_free_task(OSServiceIdType service);

/* events.c */
StatusType osek_check_event_task(OSServiceIdType service, TaskType task);
void osek_set_event(TaskType task, EventMaskType mask);

/* resources.c */
void osek_release_all(void);

/* alarms.c */
void osek_start_alarms(AppModeType mode);
void osek_advance_counter(CounterType counter);
void osek_pass_time(CounterType counter);
uint8_t osek_can_expire(CounterType counter);
void osek_perform(uint8_t kind, TaskType task, EventMaskType event, void (*callback)(void));

/* interrupts.c */
uint8_t osek_in_critical_section(void);
uint8_t osek_deliver_interrupts(void);
uint8_t osek_interrupt_can_occur(void);
uint8_t osek_interrupt_may_occur(void);

/* Sources of interrupts: handlers of the application first, then counters. */
#define OSEK_SOURCE_COUNT (OSEK_ISR_COUNT + OSEK_COUNTER_COUNT)
osek_priority osek_source_priority(unsigned source);
uint8_t osek_interrupt_is_enabled(unsigned source);
/* The environment's choice: a source, or a larger number for none. */
unsigned osek_chosen_interrupt(void);

/* monitors.c */
void osek_monitor_start(void);
void osek_monitor_error(OSServiceIdType service, StatusType code);
void osek_monitor_undefined(OSServiceIdType service, StatusType code);
void osek_monitor_halt(void);
void osek_monitor_wait(TaskType task);
void osek_monitor_wake(TaskType task);

/* control.c */
extern uint8_t osek_kernel_stack;    /* the dispatcher's; 0: the system has not been started */

#endif
