/* Task management (13.2). */
#include "state.h"

/*
 * A request to run a task. The first one takes the task out of the suspended state, with no event set (13.2.3.1);
 * further ones are kept up to the limit of the task, beyond which they are refused.
 */
StatusType osek_activate(TaskType task)
{
    if (osek_task_states[task].activations >= osek_tasks[task].activations) {
        return E_OS_LIMIT;
    }
    if (osek_task_states[task].activations == 0) {
        osek_task_states[task].state = READY;
    }
    osek_task_states[task].activations++;
    osek_ready_put_last(task, osek_tasks[task].priority);
    return E_OK;
}

StatusType ActivateTask(TaskType TaskID)
{
    StatusType status = osek_check_level(OSServiceId_ActivateTask, OSEK_IN_SCHEDULED);
    if (status == E_OK && TaskID >= OSEK_TASK_COUNT) {
        status = osek_extended(OSServiceId_ActivateTask, E_OS_ID);
    }
    if (status == E_OK) {
        status = osek_activate(TaskID);
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_ActivateTask, status, TaskID, 0, 0);
    }
    osek_return();
    return E_OK;
}

/* Ending, chaining, yielding and waiting are for tasks, and only while they hold no resource. */
StatusType osek_check_free_task(OSServiceIdType service)
{
    StatusType status = osek_check_level(service, OSEK_IN_TASK);
    if (status == E_OK && osek_current.last_resource != OSEK_NO_RESOURCE) {
        status = osek_extended(service, E_OS_RESOURCE);
    }
    return status;
}

StatusType TerminateTask(void)
{
    StatusType status = osek_check_free_task(OSServiceId_TerminateTask);
    if (status != E_OK) {
        return osek_fail(OSServiceId_TerminateTask, status, 0, 0, 0);
    }
    osek_terminate(INVALID_TASK);
    return E_OK;
}

/*
 * The successor must have room for an activation. The activation that ends makes room for one of the same task, so
 * that a task can always chain itself.
 */
static uint8_t osek_can_chain(TaskType successor)
{
    return successor == osek_running
        || osek_task_states[successor].activations < osek_tasks[successor].activations;
}

StatusType ChainTask(TaskType TaskID)
{
    StatusType status = osek_check_free_task(OSServiceId_ChainTask);
    if (status == E_OK && TaskID >= OSEK_TASK_COUNT) {
        status = osek_extended(OSServiceId_ChainTask, E_OS_ID);
    }
    if (status == E_OK && !osek_can_chain(TaskID)) {
        status = E_OS_LIMIT;
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_ChainTask, status, TaskID, 0, 0);
    }
    osek_terminate(TaskID);
    return E_OK;
}

StatusType Schedule(void)
{
    StatusType status = osek_check_free_task(OSServiceId_Schedule);
    if (status != E_OK) {
        return osek_fail(OSServiceId_Schedule, status, 0, 0, 0);
    }
    osek_give_way();
    osek_return();
    return E_OK;
}

/* INVALID_TASK if no task is running; a handler learns which task it interrupted. */
StatusType GetTaskID(TaskRefType TaskID)
{
    StatusType status = osek_check_level(OSServiceId_GetTaskID, OSEK_IN_OBSERVING);
    if (status != E_OK) {
        return osek_fail_reference(OSServiceId_GetTaskID, status, 0, TaskID);
    }
    *TaskID = osek_running;
    return E_OK;
}

StatusType GetTaskState(TaskType TaskID, TaskStateRefType State)
{
    StatusType status = osek_check_level(OSServiceId_GetTaskState, OSEK_IN_OBSERVING);
    if (status == E_OK && TaskID >= OSEK_TASK_COUNT) {
        status = osek_extended(OSServiceId_GetTaskState, E_OS_ID);
    }
    if (status != E_OK) {
        return osek_fail_reference(OSServiceId_GetTaskState, status, TaskID, State);
    }
    *State = osek_task_states[TaskID].state;
    return E_OK;
}
