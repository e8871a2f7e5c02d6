/*
 * The dispatcher, and the ways in which a task leaves the running state (4.2, 4.6).
 *
 * A task that leaves runs the PostTaskHook while it is still running, and then switches to the dispatcher's
 * stack. What it was doing (its level, its priority, its resources) waits on its own stack.
 */
#include "state.h"

osek_activity osek_current = {OSEK_OUTSIDE, 0, 0, OSEK_NO_RESOURCE};
TaskType osek_running = INVALID_TASK;
osek_task_state osek_task_states[OSEK_ROOM(OSEK_TASK_COUNT)];

/*
 * The processor changes hands: PostTaskHook for what had it, PreTaskHook for what gets it. Between the two it has no
 * owner, and stays without one while it idles (unless the idle loop counts as a task).
 */
static uint8_t osek_has_owner;

void osek_hand_over(void)
{
    if (osek_has_owner) {
        osek_call_posttask_hook();
        osek_has_owner = 0;
    }
}

void osek_take_over(void)
{
    if (!osek_has_owner) {
        osek_has_owner = 1;
        osek_call_pretask_hook();
    }
}

static void osek_be_idle(void)
{
    osek_running = INVALID_TASK;
    osek_current.level = OSEK_IDLE;
    osek_current.base = 0;
    osek_current.priority = 0;
    osek_current.last_resource = OSEK_NO_RESOURCE;
}

static void osek_leave_running(TaskStateType state)
{
    osek_hand_over();
    osek_task_states[osek_running].state = state;
    osek_be_idle();
}

/* The task stops here and goes on when the dispatcher gives it the processor again. What it was the caller keeps. */
static void osek_stop(void)
{
    __plumb_stack_switch(osek_kernel_stack);
}

/*
 * A task of higher priority takes the processor. The task keeps its resources, the internal one too, and stays
 * the oldest of its current priority.
 */
static void osek_preempt(void)
{
    osek_activity self = osek_current;
    TaskType task = osek_running;
    osek_leave_running(READY);
    osek_ready_put_first(task, self.priority);
    osek_stop();
    osek_current = self;
}

/* The running task may be preempted, and a task of higher priority is ready (4.6.1 to 4.6.3). */
static uint8_t osek_must_give_way(void)
{
    return osek_current.level == OSEK_IN_TASK && osek_tasks[osek_running].preemptable
        && osek_ready_priority() > osek_current.priority;
}

/* A handler that counts as a task had the processor. */
static uint8_t osek_must_take_over(void)
{
    return OSEK_HANDLERS_AS_TASKS && (osek_current.level & OSEK_IN_SCHEDULED) != 0 && !osek_has_owner;
}

/*
 * Before the application goes on: interrupts that are no longer masked come first, then tasks of higher priority.
 * In a handler only interrupts come first; tasks wait for the end of the outermost handler. In the hooks that ran
 * meanwhile further interrupts may have occurred. Returns whether anything has come first.
 */
uint8_t osek_return(void)
{
    uint8_t has_waited = osek_deliver_interrupts();
    while (osek_must_give_way() || osek_must_take_over()) {
        if (osek_must_give_way()) {
            osek_preempt();
        } else {
            osek_take_over();
        }
        osek_deliver_interrupts();
        has_waited = 1;
    }
    return has_waited;
}

/*
 * Schedule: the task offers the processor to tasks above its own priority. For that it lets go of its internal
 * resource, and a task that is not preemptable lets itself be preempted; both end when it runs again.
 */
void osek_give_way(void)
{
    osek_activity self = osek_current;
    TaskType task = osek_running;
    if (osek_ready_priority() > self.base) {
        osek_leave_running(READY);
        osek_ready_put_first(task, self.base);
        osek_stop();
        osek_current = self;
    }
}

/* WaitEvent: the internal resource is free while the task waits (13.5.3.4). */
void osek_wait(void)
{
    osek_activity self = osek_current;
    osek_monitor_wait(osek_running);
    osek_leave_running(WAITING);
    osek_stop();
    osek_current = self;
}

/*
 * The running activation ends, and with it the stack, however deep in calls the task is. A further activation of
 * the task is already in the ready list. `successor` is INVALID_TASK unless the task chains; it may be the task
 * itself, which then is activated anew (13.2.3.3).
 *
 * Its events are cleared here and not by the next activation, so that all suspended tasks have the same state.
 */
void osek_terminate(TaskType successor)
{
    TaskType task = osek_running;
    osek_leave_running(SUSPENDED);
    osek_task_states[task].stack = 0;
    osek_task_states[task].set = 0;
    osek_task_states[task].activations--;
    if (osek_task_states[task].activations > 0) {
        osek_task_states[task].state = READY;
    }
    if (successor != INVALID_TASK) {
        osek_activate(successor);
    }
    __plumb_stack_end(osek_kernel_stack);
}

/* Where the stack of an activation begins. */
static void osek_begin_task(void *unused)
{
    (void)unused;
    osek_return();
    osek_tasks[osek_running].entry();
    /* A task must not end without TerminateTask or ChainTask (4.7). This model terminates it, free of resources. */
    osek_monitor_undefined(OSServiceId_TerminateTask,
                           osek_current.last_resource != OSEK_NO_RESOURCE ? E_OS_RESOURCE : E_OS_STATE);
    osek_undefined(OSServiceId_TerminateTask, E_OS_STATE);
    osek_release_all();
    osek_terminate(INVALID_TASK);
}

/*
 * Where there are few tasks each has a stack at all times, made anew as soon as an activation has ended: then it is the
 * same one again, so that situations that differ in nothing but the order in which tasks began are equal states.
 */
#define OSEK_HAS_STACKS_READY (OSEK_TASK_COUNT <= 16)

static void osek_make_stack(TaskType task)
{
    if (osek_task_states[task].stack == 0) {
        osek_task_states[task].stack = (uint8_t)__plumb_stack_new(osek_begin_task, NULL);
    }
}

/*
 * The first of the ready activations runs. It takes the internal resource of the task, unless it kept it when it
 * was preempted (8.7); its priority then is at least that of the resource.
 */
static void osek_run_first(void)
{
    osek_priority priority = osek_ready_priority();
    TaskType task = osek_ready_take();
    osek_hand_over();
    osek_running = task;
    osek_task_states[task].state = RUNNING;
    osek_current.level = OSEK_IN_TASK;
    osek_current.base = osek_tasks[task].priority;
    osek_current.priority = priority;
    if (priority < osek_tasks[task].running_priority) {
        osek_current.priority = osek_tasks[task].running_priority;
    }
    osek_take_over();
    osek_make_stack(task);
    __plumb_stack_switch(osek_task_states[task].stack);
    if (OSEK_HAS_STACKS_READY) {
        osek_make_stack(task);
    }
}

/* No task is ready. Interrupts that waited come first; then one may occur. */
static void osek_idle(void)
{
    if (OSEK_HANDLERS_AS_TASKS) {
        osek_take_over();
    }
    osek_deliver_interrupts();
    if (osek_ready_priority() == 0) {
        if (!osek_interrupt_can_occur()) {
            osek_monitor_halt();
            osek_halt();
        }
        osek_interrupt_may_occur();
    }
}

/* Gives the processor to tasks for ever. */
void osek_dispatch(void)
{
    TaskType task;
    for (task = 0; OSEK_HAS_STACKS_READY && task < OSEK_TASK_COUNT; task++) {
        osek_make_stack(task);
    }
    osek_be_idle();
    for (;;) {
        if (osek_ready_priority() > 0) {
            osek_run_first();
        } else {
            osek_idle();
        }
    }
}
