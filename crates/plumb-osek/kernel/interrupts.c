/*
 * Interrupts (chapter 6, 13.3). A handler is a call on the stack of what it interrupts. It runs if its source is not
 * masked and its priority is above that of what runs, be it a task, a task with a resource, or another handler.
 */
#include "state.h"

/* One bit for each source that was requested while it was masked. */
static uint32_t osek_pending;
typedef char osek_sources_fit_into_pending[OSEK_SOURCE_COUNT <= 32 ? 1 : -1];

/* DisableAllInterrupts does not nest; the other two count (13.3.2). */
static uint8_t osek_all_disabled;
static uint8_t osek_all_suspended;
static uint8_t osek_os_suspended;

uint8_t osek_in_critical_section(void)
{
    return osek_all_disabled || osek_all_suspended > 0 || osek_os_suspended > 0;
}

static uint8_t osek_category(unsigned source)
{
    return source < OSEK_ISR_COUNT ? osek_isrs[source].category : 2;
}

osek_priority osek_source_priority(unsigned source)
{
    return source < OSEK_ISR_COUNT ? osek_isrs[source].priority : osek_counters[source - OSEK_ISR_COUNT].priority;
}

/*
 * Hooks and callbacks are not interrupted by handlers of category 2 (11.1, 9.3). Nothing is interrupted while the
 * system does not run. A counter without priority is advanced by the application only. Without ticks a counter makes
 * no interrupt unless an alarm can expire.
 */
uint8_t osek_interrupt_is_enabled(unsigned source)
{
    if (osek_all_disabled || osek_all_suspended > 0 || osek_current.level == OSEK_OUTSIDE) {
        return 0;
    }
    if (osek_category(source) == 2
        && (osek_os_suspended > 0
            || (osek_current.level & (OSEK_IN_TASK | OSEK_IN_ISR1 | OSEK_IN_ISR2 | OSEK_IDLE)) == 0)) {
        return 0;
    }
    if (OSEK_TICKLESS && source >= OSEK_ISR_COUNT && !osek_can_expire((CounterType)(source - OSEK_ISR_COUNT))) {
        return 0;
    }
    return osek_source_priority(source) > osek_current.priority;
}

/* The hooks run around a handler as around a task, and no task is running meanwhile. */
static void osek_run_as_task(unsigned source)
{
    TaskType interrupted = osek_running;
    osek_running = INVALID_TASK;
    osek_take_over();
    osek_deliver_interrupts();
    osek_take_over();
    osek_isrs[source].entry();
    osek_hand_over();
    osek_running = interrupted;
}

static void osek_run_handler(unsigned source)
{
    if (source >= OSEK_ISR_COUNT) {
        osek_pass_time((CounterType)(source - OSEK_ISR_COUNT));
    } else if (OSEK_HANDLERS_AS_TASKS && osek_category(source) == 2) {
        osek_run_as_task(source);
    } else {
        osek_isrs[source].entry();
    }
}

/* The handler runs, and what it interrupted is restored. */
static void osek_handle(unsigned source)
{
    osek_activity interrupted = osek_current;
    if (OSEK_HANDLERS_AS_TASKS && source < OSEK_ISR_COUNT && osek_category(source) == 2) {
        osek_hand_over();
    }
    osek_current.level = osek_category(source) == 1 ? OSEK_IN_ISR1 : OSEK_IN_ISR2;
    osek_current.base = osek_source_priority(source);
    osek_current.priority = osek_current.base;
    osek_current.last_resource = OSEK_NO_RESOURCE;
    osek_run_handler(source);
    if (osek_current.last_resource != OSEK_NO_RESOURCE) {
        osek_monitor_undefined(OSServiceId_ReleaseResource, E_OS_RESOURCE);
        osek_undefined(OSServiceId_ReleaseResource, E_OS_RESOURCE);
        osek_release_all();
    }
    osek_current = interrupted;
}

static unsigned osek_most_urgent_pending(void)
{
    unsigned source;
    unsigned best = OSEK_SOURCE_COUNT;
    for (source = 0; source < OSEK_SOURCE_COUNT; source++) {
        if ((osek_pending >> source & 1u) != 0 && osek_interrupt_is_enabled(source)
            && (best == OSEK_SOURCE_COUNT || osek_source_priority(source) > osek_source_priority(best))) {
            best = source;
        }
    }
    return best;
}

/*
 * Runs the handlers that waited for a mask to be lifted or a priority to sink, the most urgent first. Returns whether
 * there were any.
 */
uint8_t osek_deliver_interrupts(void)
{
    uint8_t has_delivered = 0;
    while (osek_pending != 0) {
        unsigned source = osek_most_urgent_pending();
        if (source == OSEK_SOURCE_COUNT) {
            break;
        }
        osek_pending &= ~((uint32_t)1 << source);
        osek_handle(source);
        has_delivered = 1;
    }
    return has_delivered;
}

void osek_interrupt(unsigned source)
{
    if (source < OSEK_SOURCE_COUNT) {
        osek_pending |= (uint32_t)1 << source;
        osek_return();
    }
}

uint8_t osek_interrupt_can_occur(void)
{
    unsigned source;
    for (source = 0; source < OSEK_SOURCE_COUNT; source++) {
        if (osek_interrupt_is_enabled(source)) {
            return 1;
        }
    }
    return 0;
}

/* At most one interrupt occurs. The environment is not asked where none can occur; to choose a masked one means none. */
uint8_t osek_interrupt_may_occur(void)
{
    unsigned source;
    if (!osek_interrupt_can_occur()) {
        return 0;
    }
    source = osek_chosen_interrupt();
    if (source >= OSEK_SOURCE_COUNT || !osek_interrupt_is_enabled(source)) {
        return 0;
    }
    osek_handle(source);
    osek_return();
    return 1;
}

/* Several interrupts may occur between two statements. */
void osek_preemption_point(void)
{
    while (osek_interrupt_may_occur()) {
    }
}

/*
 * With few points: only a task of higher priority preempts a task, and only if it runs again: it is not suspended, or
 * something activates it. Handlers, hooks and callbacks are above all tasks.
 */
void osek_preemption_point_behind(uint32_t conflicting, uint32_t activated)
{
#if OSEK_FEW_POINTS
    TaskType task;
    if (osek_current.level != OSEK_IN_TASK || !osek_tasks[osek_running].preemptable) {
        return;
    }
    for (task = 0; conflicting != 0; task++) {
        if ((conflicting & 1u) != 0 && osek_tasks[task].priority > osek_current.priority
            && (!osek_tasks[task].services_only || (activated >> task & 1u) != 0
                || osek_task_states[task].state != SUSPENDED)) {
            osek_preemption_point();
            return;
        }
        conflicting >>= 1;
    }
#else
    (void)conflicting;
    (void)activated;
    osek_preemption_point();
#endif
}

/*
 * The services below return nothing. Calls that do not pair up, or that come from a hook that must not make them,
 * are undefined.
 */
static void osek_check_masking(OSServiceIdType service, uint16_t allowed, uint8_t pairs)
{
    if (!pairs || (osek_current.level & allowed) == 0) {
        osek_monitor_undefined(service, E_OS_CALLEVEL);
        osek_undefined(service, E_OS_CALLEVEL);
    }
}

#define OSEK_IN_CODE (OSEK_IN_TASK | OSEK_IN_ISR1 | OSEK_IN_ISR2)
#define OSEK_IN_CODE_OR_HOOK                                                                                       \
    (OSEK_IN_CODE | OSEK_IN_ERROR_HOOK | OSEK_IN_PRETASK_HOOK | OSEK_IN_POSTTASK_HOOK | OSEK_IN_CALLBACK)

void DisableAllInterrupts(void)
{
    osek_check_masking(OSServiceId_DisableAllInterrupts, OSEK_IN_CODE, !osek_all_disabled);
    osek_all_disabled = 1;
}

void EnableAllInterrupts(void)
{
    osek_check_masking(OSServiceId_EnableAllInterrupts, OSEK_IN_CODE, osek_all_disabled);
    osek_all_disabled = 0;
    osek_return();
}

void SuspendAllInterrupts(void)
{
    osek_check_masking(OSServiceId_SuspendAllInterrupts, OSEK_IN_CODE_OR_HOOK, osek_all_suspended < 255);
    if (osek_all_suspended < 255) {
        osek_all_suspended++;
    }
}

void ResumeAllInterrupts(void)
{
    osek_check_masking(OSServiceId_ResumeAllInterrupts, OSEK_IN_CODE_OR_HOOK, osek_all_suspended > 0);
    if (osek_all_suspended > 0) {
        osek_all_suspended--;
    }
    osek_return();
}

void SuspendOSInterrupts(void)
{
    osek_check_masking(OSServiceId_SuspendOSInterrupts, OSEK_IN_CODE, osek_os_suspended < 255);
    if (osek_os_suspended < 255) {
        osek_os_suspended++;
    }
}

void ResumeOSInterrupts(void)
{
    osek_check_masking(OSServiceId_ResumeOSInterrupts, OSEK_IN_CODE, osek_os_suspended > 0);
    if (osek_os_suspended > 0) {
        osek_os_suspended--;
    }
    osek_return();
}
