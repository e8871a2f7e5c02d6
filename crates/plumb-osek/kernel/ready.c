/*
 * The activations that wait for the processor, in the order in which they will get it (4.6): the highest
 * priority first, and the oldest first among equals.
 *
 * - A new activation is the newest of its priority, and so is a task that leaves the waiting state.
 * - A preempted task is the oldest of its priority, which is its current one: the ceiling, if it holds a resource.
 *
 * A task with several pending activations has an entry for each. One sorted list keeps the whole order; an entry
 * that is not used is zero, so that equal situations are equal states.
 */
#include "state.h"

typedef struct {
    TaskType task;
    osek_priority priority;
} osek_ready_entry;

static osek_ready_entry osek_ready[OSEK_ACTIVATION_TOTAL];
static uint8_t osek_ready_count;

static void osek_ready_insert(uint8_t position, TaskType task, osek_priority priority)
{
    uint8_t i;
    for (i = osek_ready_count; i > position; i--) {
        osek_ready[i] = osek_ready[i - 1];
    }
    osek_ready[position].task = task;
    osek_ready[position].priority = priority;
    osek_ready_count++;
}

void osek_ready_put_last(TaskType task, osek_priority priority)
{
    uint8_t position = 0;
    while (position < osek_ready_count && osek_ready[position].priority >= priority) {
        position++;
    }
    osek_ready_insert(position, task, priority);
}

void osek_ready_put_first(TaskType task, osek_priority priority)
{
    uint8_t position = 0;
    while (position < osek_ready_count && osek_ready[position].priority > priority) {
        position++;
    }
    osek_ready_insert(position, task, priority);
}

/* The priority of the first entry; 0 if there is none. */
osek_priority osek_ready_priority(void)
{
    return osek_ready[0].priority;
}

/* Removes the first entry, which exists. */
TaskType osek_ready_take(void)
{
    TaskType task = osek_ready[0].task;
    uint8_t i;
    osek_ready_count--;
    for (i = 0; i < osek_ready_count; i++) {
        osek_ready[i] = osek_ready[i + 1];
    }
    osek_ready[osek_ready_count].task = 0;
    osek_ready[osek_ready_count].priority = 0;
    return task;
}
