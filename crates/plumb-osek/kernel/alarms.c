/*
 * Counters and alarms (chapter 9, 13.6). A counter runs from 0 to its greatest value and begins again. An alarm
 * keeps how many ticks it has to go, not the value at which it expires: the value of the counter then matters to
 * SetAbsAlarm only.
 */
#include "state.h"

typedef struct {
    uint8_t armed;
    TickType remaining;              /* ticks before the one at which it expires */
    TickType cycle;
} osek_alarm_state;

static osek_alarm_state osek_alarm_states[OSEK_ROOM(OSEK_ALARM_COUNT)];
static TickType osek_counter_values[OSEK_ROOM(OSEK_COUNTER_COUNT)];

static TickType osek_max_allowed_value(AlarmType alarm)
{
    return osek_counters[osek_alarms[alarm].counter].max_allowed_value;
}

static void osek_arm(AlarmType alarm, TickType remaining, TickType cycle)
{
    osek_alarm_states[alarm].armed = 1;
    osek_alarm_states[alarm].remaining = remaining;
    osek_alarm_states[alarm].cycle = cycle;
}

static void osek_disarm(AlarmType alarm)
{
    osek_alarm_states[alarm].armed = 0;
    osek_alarm_states[alarm].remaining = 0;
    osek_alarm_states[alarm].cycle = 0;
}

/* The counter reaches `value` next; if it has that value now, after it has begun again (13.6.3.4). */
static void osek_arm_at(AlarmType alarm, TickType value, TickType cycle)
{
    TickType now = osek_counter_values[osek_alarms[alarm].counter];
    if (value > now) {
        osek_arm(alarm, value - now - 1, cycle);
    } else {
        osek_arm(alarm, osek_max_allowed_value(alarm) - now + value, cycle);
    }
}

void osek_start_alarms(AppModeType mode)
{
    AlarmType alarm;
    for (alarm = 0; alarm < OSEK_ALARM_COUNT; alarm++) {
        if ((osek_alarms[alarm].autostart >> mode & 1u) != 0) {
            osek_arm_at(alarm, osek_alarms[alarm].alarm_time, osek_alarms[alarm].cycle_time);
        }
    }
}

/*
 * What an alarm or a message does. It has no caller that could be told of an error, so the error hook is. A callback
 * runs at a level of its own (9.3).
 */
void osek_perform(uint8_t kind, TaskType task, EventMaskType event, void (*callback)(void))
{
    StatusType status = E_OK;
    if (kind == OSEK_ACTION_TASK) {
        status = osek_activate(task);
        if (status != E_OK) {
            osek_report(OSServiceId_ActivateTask, status, task, 0, 0);
        }
    } else if (kind == OSEK_ACTION_EVENT) {
        status = osek_check_event_task(OSServiceId_SetEvent, task);
        if (status != E_OK) {
            osek_report(OSServiceId_SetEvent, status, task, event, 0);
        } else {
            osek_set_event(task, event);
        }
    } else if (kind == OSEK_ACTION_CALLBACK) {
        uint16_t level = osek_current.level;
        osek_current.level = OSEK_IN_CALLBACK;
        callback();
        osek_current.level = level;
    }
}

/* One tick of an alarm that is armed. A cyclic alarm is armed again before its effect, a single one is not in use. */
static void osek_advance_alarm(AlarmType alarm)
{
    if (osek_alarm_states[alarm].remaining > 0) {
        osek_alarm_states[alarm].remaining--;
        return;
    }
    if (osek_alarm_states[alarm].cycle > 0) {
        osek_alarm_states[alarm].remaining = osek_alarm_states[alarm].cycle - 1;
    } else {
        osek_disarm(alarm);
    }
    osek_perform(osek_alarms[alarm].action.kind, osek_alarms[alarm].action.task, osek_alarms[alarm].action.event,
                 osek_alarms[alarm].action.callback);
}

/*
 * One tick of a counter. Alarms that expire at the same tick do so in the order of the table; the specification
 * does not order them.
 */
void osek_advance_counter(CounterType counter)
{
    AlarmType alarm;
    if (osek_counter_values[counter] < osek_counters[counter].max_allowed_value) {
        osek_counter_values[counter]++;
    } else {
        osek_counter_values[counter] = 0;
    }
    for (alarm = 0; alarm < OSEK_ALARM_COUNT; alarm++) {
        if (osek_alarms[alarm].counter == counter && osek_alarm_states[alarm].armed) {
            osek_advance_alarm(alarm);
        }
    }
}

/* An alarm on the counter is armed. */
uint8_t osek_can_expire(CounterType counter)
{
    AlarmType alarm;
    for (alarm = 0; alarm < OSEK_ALARM_COUNT; alarm++) {
        if (osek_alarms[alarm].counter == counter && osek_alarm_states[alarm].armed) {
            return 1;
        }
    }
    return 0;
}

/*
 * The ticks up to the next one at which an alarm expires. They change nothing but how long alarms have to go, which
 * nobody asks for: wherever they occur, the run is the same.
 */
static void osek_pass_silent_ticks(CounterType counter)
{
    AlarmType alarm;
    TickType silent = osek_counters[counter].max_allowed_value;
    for (alarm = 0; alarm < OSEK_ALARM_COUNT; alarm++) {
        if (osek_alarms[alarm].counter == counter && osek_alarm_states[alarm].armed
            && osek_alarm_states[alarm].remaining < silent) {
            silent = osek_alarm_states[alarm].remaining;
        }
    }
    for (alarm = 0; alarm < OSEK_ALARM_COUNT; alarm++) {
        if (osek_alarms[alarm].counter == counter && osek_alarm_states[alarm].armed) {
            osek_alarm_states[alarm].remaining -= silent;
        }
    }
}

/* The interrupt of a hardware counter. Without ticks the value of the counter, which nobody asks for, stays 0. */
void osek_pass_time(CounterType counter)
{
    if (OSEK_TICKLESS) {
        osek_pass_silent_ticks(counter);
    }
    osek_advance_counter(counter);
    if (OSEK_TICKLESS) {
        osek_counter_values[counter] = 0;
    }
}

static StatusType osek_check_alarm(OSServiceIdType service, uint16_t allowed, AlarmType alarm)
{
    StatusType status = osek_check_level(service, allowed);
    if (status == E_OK && alarm >= OSEK_ALARM_COUNT) {
        status = osek_extended(service, E_OS_ID);
    }
    return status;
}

StatusType GetAlarmBase(AlarmType AlarmID, AlarmBaseRefType Info)
{
    StatusType status = osek_check_alarm(OSServiceId_GetAlarmBase, OSEK_IN_OBSERVING, AlarmID);
    if (status != E_OK) {
        return osek_fail_reference(OSServiceId_GetAlarmBase, status, AlarmID, Info);
    }
    Info->maxallowedvalue = osek_max_allowed_value(AlarmID);
    Info->ticksperbase = osek_counters[osek_alarms[AlarmID].counter].ticks_per_base;
    Info->mincycle = osek_counters[osek_alarms[AlarmID].counter].min_cycle;
    return E_OK;
}

/* How many ticks are left. An alarm that is not in use has none, with either status. */
StatusType GetAlarm(AlarmType AlarmID, TickRefType Tick)
{
    StatusType status = osek_check_alarm(OSServiceId_GetAlarm, OSEK_IN_OBSERVING, AlarmID);
    if (status == E_OK && !osek_alarm_states[AlarmID].armed) {
        status = E_OS_NOFUNC;
    }
    if (status != E_OK) {
        return osek_fail_reference(OSServiceId_GetAlarm, status, AlarmID, Tick);
    }
    *Tick = osek_alarm_states[AlarmID].remaining + 1;
    return E_OK;
}

/*
 * The values must suit the counter, a cycle must not be shorter than its least cycle, and the alarm must not be in
 * use; only the last is checked with standard status.
 */
static StatusType osek_check_setting(OSServiceIdType service, AlarmType alarm, TickType first, TickType cycle)
{
    StatusType status = osek_check_alarm(service, OSEK_IN_SCHEDULED, alarm);
    if (status != E_OK) {
        return status;
    }
    if (first > osek_max_allowed_value(alarm) || cycle > osek_max_allowed_value(alarm)
        || (cycle > 0 && cycle < osek_counters[osek_alarms[alarm].counter].min_cycle)) {
        return osek_extended(service, E_OS_VALUE);
    }
    if (osek_alarm_states[alarm].armed) {
        return E_OS_STATE;
    }
    return E_OK;
}

/* An increment of 0 is left to the implementation: here it means the next tick, as 1 does. */
StatusType SetRelAlarm(AlarmType AlarmID, TickType increment, TickType cycle)
{
    StatusType status = osek_check_setting(OSServiceId_SetRelAlarm, AlarmID, increment, cycle);
    if (status != E_OK) {
        return osek_fail(OSServiceId_SetRelAlarm, status, AlarmID, increment, cycle);
    }
    osek_arm(AlarmID, increment > 0 ? increment - 1 : 0, cycle);
    return E_OK;
}

StatusType SetAbsAlarm(AlarmType AlarmID, TickType start, TickType cycle)
{
    StatusType status = osek_check_setting(OSServiceId_SetAbsAlarm, AlarmID, start, cycle);
    if (status != E_OK) {
        return osek_fail(OSServiceId_SetAbsAlarm, status, AlarmID, start, cycle);
    }
    osek_arm_at(AlarmID, start, cycle);
    return E_OK;
}

StatusType CancelAlarm(AlarmType AlarmID)
{
    StatusType status = osek_check_alarm(OSServiceId_CancelAlarm, OSEK_IN_SCHEDULED, AlarmID);
    if (status == E_OK && !osek_alarm_states[AlarmID].armed) {
        status = E_OS_NOFUNC;
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_CancelAlarm, status, AlarmID, 0, 0);
    }
    osek_disarm(AlarmID);
    return E_OK;
}

/* A tick made by the application. All alarms of the tick have had their effect before a task is dispatched. */
StatusType IncrementCounter(CounterType CounterID)
{
    StatusType status = osek_check_level(OSServiceId_IncrementCounter, OSEK_IN_SCHEDULED);
    if (status == E_OK && CounterID >= OSEK_COUNTER_COUNT) {
        status = osek_extended(OSServiceId_IncrementCounter, E_OS_ID);
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_IncrementCounter, status, CounterID, 0, 0);
    }
    osek_advance_counter(CounterID);
    osek_return();
    return E_OK;
}

StatusType SignalCounter(CounterType CounterID)
{
    return IncrementCounter(CounterID);
}
