/*
 * Event control (chapter 7, 13.5). Events belong to extended tasks that are not suspended. A suspended task
 * has none: they would be cleared by its activation.
 */
#include "state.h"

StatusType osek_check_event_task(OSServiceIdType service, TaskType task)
{
    if (task >= OSEK_TASK_COUNT) {
        return osek_extended(service, E_OS_ID);
    }
    if (!osek_tasks[task].extended) {
        return osek_extended(service, E_OS_ACCESS);
    }
    if (osek_task_states[task].state == SUSPENDED) {
        return osek_tolerated(service, E_OS_STATE);
    }
    return E_OK;
}

/* Events add up. A task that waits for one of them becomes ready, as the newest of its priority (4.6.5). */
void osek_set_event(TaskType task, EventMaskType mask)
{
    if (osek_task_states[task].state == SUSPENDED) {
        return;
    }
    osek_task_states[task].set |= mask;
    if (osek_task_states[task].state == WAITING
        && (osek_task_states[task].set & osek_task_states[task].awaited) != 0) {
        osek_monitor_wake(task);
        osek_task_states[task].awaited = 0;
        osek_task_states[task].state = READY;
        osek_ready_put_last(task, osek_tasks[task].priority);
    }
}

StatusType SetEvent(TaskType TaskID, EventMaskType Mask)
{
    StatusType status = osek_check_level(OSServiceId_SetEvent, OSEK_IN_SCHEDULED);
    if (status == E_OK) {
        status = osek_check_event_task(OSServiceId_SetEvent, TaskID);
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_SetEvent, status, TaskID, Mask, 0);
    }
    osek_set_event(TaskID, Mask);
    osek_return();
    return E_OK;
}

/* Only the task that owns the events clears them. */
StatusType ClearEvent(EventMaskType Mask)
{
    StatusType status = osek_check_level(OSServiceId_ClearEvent, OSEK_IN_TASK);
    if (status == E_OK && !osek_tasks[osek_running].extended) {
        status = osek_extended(OSServiceId_ClearEvent, E_OS_ACCESS);
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_ClearEvent, status, Mask, 0, 0);
    }
    osek_task_states[osek_running].set &= ~Mask;
    return E_OK;
}

/* The events that are set, whether or not the task waits for them. */
StatusType GetEvent(TaskType TaskID, EventMaskRefType Event)
{
    StatusType status = osek_check_level(OSServiceId_GetEvent, OSEK_IN_OBSERVING);
    if (status == E_OK) {
        status = osek_check_event_task(OSServiceId_GetEvent, TaskID);
    }
    if (status != E_OK) {
        return osek_fail_reference(OSServiceId_GetEvent, status, TaskID, Event);
    }
    *Event = osek_task_states[TaskID].set;
    return E_OK;
}

/*
 * The task waits unless one of the events is set already; in that case it goes on without rescheduling. A basic
 * task cannot wait at all, which is said before that it holds a resource.
 */
StatusType WaitEvent(EventMaskType Mask)
{
    StatusType status = osek_check_free_task(OSServiceId_WaitEvent);
    if ((status == E_OK || status == E_OS_RESOURCE) && !osek_tasks[osek_running].extended) {
        status = osek_extended(OSServiceId_WaitEvent, E_OS_ACCESS);
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_WaitEvent, status, Mask, 0, 0);
    }
    if ((osek_task_states[osek_running].set & Mask) == 0) {
        osek_task_states[osek_running].awaited = Mask;
        osek_wait();
    }
    osek_return();
    return E_OK;
}
