/*
 * Resource management (chapter 8, 13.4) by the priority ceiling protocol: who takes a resource runs at its ceiling
 * at least, so that nobody else who uses it runs. A ceiling above the tasks masks the handlers that share the
 * resource.
 */
#include "state.h"

typedef struct {
    uint8_t held;
    ResourceType previous;           /* the resource that its holder had taken before */
    osek_priority priority;          /* the priority that its holder had before */
} osek_resource_state;

static osek_resource_state osek_resource_states[OSEK_ROOM(OSEK_RESOURCE_COUNT)];

/* Who is above the ceiling is none of those that the OIL file lists as users of the resource. */
static StatusType osek_check_resource(OSServiceIdType service, ResourceType resource)
{
    StatusType status = osek_check_level(service, OSEK_IN_SCHEDULED);
    if (status == E_OK && resource >= OSEK_RESOURCE_COUNT) {
        status = osek_extended(service, E_OS_ID);
    }
    if (status == E_OK && osek_current.base > osek_resources[resource].ceiling) {
        status = osek_extended(service, E_OS_ACCESS);
    }
    return status;
}

/*
 * With few points the services ask themselves, so that callers need no point behind them.
 *
 * Taking a resource: an interrupt behind it could as well have occurred before it, unless a task becomes ready that
 * the resource keeps from running. Who runs at such an interrupt is above the ceiling, and is refused the resource
 * whether it is held or not.
 *
 * Giving one back: an interrupt behind it could as well have occurred before it, where the tasks that it makes ready
 * had to wait for this moment. That is not so if the resource masked it, or if others have run in between, since
 * then it may be the second one.
 *
 * A service that fails is followed by a point as other services are.
 */
#if OSEK_FEW_POINTS
static uint8_t osek_has_task_between(osek_priority low, osek_priority high)
{
    TaskType task;
    for (task = 0; task < OSEK_TASK_COUNT; task++) {
        if (osek_tasks[task].priority > low && osek_tasks[task].priority <= high) {
            return 1;
        }
    }
    return 0;
}

static uint8_t osek_has_source_between(osek_priority low, osek_priority high)
{
    unsigned source;
    for (source = 0; source < OSEK_SOURCE_COUNT; source++) {
        if (osek_source_priority(source) > low && osek_source_priority(source) <= high) {
            return 1;
        }
    }
    return 0;
}
#endif

static void osek_point_if_taken(osek_priority before)
{
#if OSEK_FEW_POINTS
    if (osek_has_task_between(before, osek_current.priority)) {
        osek_preemption_point();
    }
#else
    (void)before;
#endif
}

static void osek_point_if_released(osek_priority before, uint8_t has_waited)
{
#if OSEK_FEW_POINTS && (OSEK_PRETASK_HOOK || OSEK_POSTTASK_HOOK)
    /* Hooks see whether the task was dispatched once more between others. */
    (void)before;
    (void)has_waited;
    osek_preemption_point();
#elif OSEK_FEW_POINTS
    if (has_waited || osek_has_source_between(osek_current.priority, before)) {
        osek_preemption_point();
    }
#else
    (void)before;
    (void)has_waited;
#endif
}

static StatusType osek_refuse_resource(OSServiceIdType service, StatusType status, ResourceType resource)
{
    osek_fail(service, status, resource, 0, 0);
#if OSEK_FEW_POINTS
    osek_preemption_point();
#endif
    return status;
}

/* A resource that is held cannot be taken, not even by its holder (8.3). */
StatusType GetResource(ResourceType ResID)
{
    osek_priority before = osek_current.priority;
    StatusType status = osek_check_resource(OSServiceId_GetResource, ResID);
    if (status == E_OK && osek_resource_states[ResID].held) {
        status = osek_extended(OSServiceId_GetResource, E_OS_ACCESS);
    }
    if (status != E_OK) {
        return osek_refuse_resource(OSServiceId_GetResource, status, ResID);
    }
    osek_resource_states[ResID].held = 1;
    osek_resource_states[ResID].previous = osek_current.last_resource;
    osek_resource_states[ResID].priority = osek_current.priority;
    osek_current.last_resource = ResID;
    if (osek_current.priority < osek_resources[ResID].ceiling) {
        osek_current.priority = osek_resources[ResID].ceiling;
    }
    osek_point_if_taken(before);
    return E_OK;
}

/* The holder gives back what it took last, and has the priority that it had before. */
static void osek_release_last(void)
{
    ResourceType last = osek_current.last_resource;
    osek_current.last_resource = osek_resource_states[last].previous;
    osek_current.priority = osek_resource_states[last].priority;
    osek_resource_states[last].held = 0;
    osek_resource_states[last].previous = 0;
    osek_resource_states[last].priority = 0;
}

/* Resources are given back in the reverse order of taking; anything else is not held, or not yet to be released. */
StatusType ReleaseResource(ResourceType ResID)
{
    osek_priority before = osek_current.priority;
    StatusType status = osek_check_resource(OSServiceId_ReleaseResource, ResID);
    if (status == E_OK && osek_current.last_resource != ResID) {
        status = osek_extended(OSServiceId_ReleaseResource, E_OS_NOFUNC);
    }
    if (status != E_OK) {
        return osek_refuse_resource(OSServiceId_ReleaseResource, status, ResID);
    }
    osek_release_last();
    osek_point_if_released(before, osek_return());
    return E_OK;
}

/* For an activity that ends, against the rules, with resources. */
void osek_release_all(void)
{
    while (osek_current.last_resource != OSEK_NO_RESOURCE) {
        osek_release_last();
    }
}
