/*
 * What the commands of a script do. A service that fails records its error code, a service that returns a value
 * records the value, and a service that succeeds otherwise records nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

static char text[MAX_RECORD];
static size_t length;

void record(const char *word)
{
    size_t size = strlen(word);
    if (length + size + 2 > MAX_RECORD) {
        _exit(3);
    }
    if (length > 0) {
        text[length++] = ' ';
    }
    memcpy(text + length, word, size + 1);
    length += size;
}

const char *recorded(void)
{
    return text;
}

static void record_number(unsigned long number)
{
    char word[24];
    snprintf(word, sizeof word, "%lu", number);
    record(word);
}

/* ---- names of numbers ---- */

const char *code_name(unsigned code)
{
    static const char *const os_names[] = {"E_OK", "E_OS_ACCESS", "E_OS_CALLEVEL", "E_OS_ID", "E_OS_LIMIT",
                                           "E_OS_NOFUNC", "E_OS_RESOURCE", "E_OS_STATE", "E_OS_VALUE"};
    static const char *const com_names[] = {"E_COM_ID", "E_COM_LENGTH", "E_COM_LIMIT", "E_COM_NOMSG"};
    if (code <= E_OS_VALUE) {
        return os_names[code];
    }
    if (code == E_OS_DISABLEDINT) {
        return "E_OS_DISABLEDINT";
    }
    return code >= E_COM_ID && code <= E_COM_NOMSG ? com_names[code - E_COM_ID] : "E_?";
}

static const char *const state_names[] = {"SUSPENDED", "READY", "RUNNING", "WAITING"};

static const struct { unsigned id; const char *name; } service_names[] = {
    {OSServiceId_ActivateTask, "ActivateTask"}, {OSServiceId_TerminateTask, "TerminateTask"},
    {OSServiceId_ChainTask, "ChainTask"}, {OSServiceId_Schedule, "Schedule"}, {OSServiceId_GetTaskID, "GetTaskID"},
    {OSServiceId_GetTaskState, "GetTaskState"}, {OSServiceId_EnableAllInterrupts, "EnableAllInterrupts"},
    {OSServiceId_DisableAllInterrupts, "DisableAllInterrupts"},
    {OSServiceId_ResumeAllInterrupts, "ResumeAllInterrupts"},
    {OSServiceId_SuspendAllInterrupts, "SuspendAllInterrupts"},
    {OSServiceId_ResumeOSInterrupts, "ResumeOSInterrupts"},
    {OSServiceId_SuspendOSInterrupts, "SuspendOSInterrupts"}, {OSServiceId_GetResource, "GetResource"},
    {OSServiceId_ReleaseResource, "ReleaseResource"}, {OSServiceId_SetEvent, "SetEvent"},
    {OSServiceId_ClearEvent, "ClearEvent"}, {OSServiceId_GetEvent, "GetEvent"}, {OSServiceId_WaitEvent, "WaitEvent"},
    {OSServiceId_GetAlarmBase, "GetAlarmBase"}, {OSServiceId_GetAlarm, "GetAlarm"},
    {OSServiceId_SetRelAlarm, "SetRelAlarm"}, {OSServiceId_SetAbsAlarm, "SetAbsAlarm"},
    {OSServiceId_CancelAlarm, "CancelAlarm"}, {OSServiceId_IncrementCounter, "IncrementCounter"},
    {OSServiceId_GetActiveApplicationMode, "GetActiveApplicationMode"}, {OSServiceId_StartOS, "StartOS"}, {OSServiceId_ShutdownOS, "ShutdownOS"},
    {COMServiceId_SendMessage, "SendMessage"}, {COMServiceId_SendZeroMessage, "SendZeroMessage"},
    {COMServiceId_ReceiveMessage, "ReceiveMessage"}, {COMServiceId_GetMessageStatus, "GetMessageStatus"},
    {COMServiceId_InitMessage, "InitMessage"}, {COMServiceId_StopCOM, "StopCOM"}};

void record_service(const char *prefix, unsigned service)
{
    char word[2 * MAX_WORD];
    unsigned i;
    for (i = 0; i < sizeof service_names / sizeof *service_names; i++) {
        if (service_names[i].id == service) {
            snprintf(word, sizeof word, "%s%s", prefix, service_names[i].name);
            record(word);
            return;
        }
    }
    record("unknown-service");
}

static void record_code(StatusType code)
{
    if (code != E_OK) {
        record(code_name(code));
    }
}

static void record_task(TaskType task)
{
    record(task < sys.counts[OBJECT_TASK] ? sys.names[OBJECT_TASK][task] : "INVALID_TASK");
}

/* What ErrorHook learns of the failed call, through the macro of each parameter. */
static void record_error_parameters(void)
{
    unsigned service = OSErrorGetServiceId();
    record_service("", service);
    switch (service) {
    case OSServiceId_ActivateTask: record_number(OSError_ActivateTask_TaskID()); break;
    case OSServiceId_ChainTask: record_number(OSError_ChainTask_TaskID()); break;
    case OSServiceId_GetTaskState: record_number(OSError_GetTaskState_TaskID()); break;
    case OSServiceId_GetResource: record_number(OSError_GetResource_ResID()); break;
    case OSServiceId_ReleaseResource: record_number(OSError_ReleaseResource_ResID()); break;
    case OSServiceId_SetEvent:
        record_number(OSError_SetEvent_TaskID());
        record_number(OSError_SetEvent_Mask());
        break;
    case OSServiceId_ClearEvent: record_number(OSError_ClearEvent_Mask()); break;
    case OSServiceId_GetEvent: record_number(OSError_GetEvent_TaskID()); break;
    case OSServiceId_WaitEvent: record_number(OSError_WaitEvent_Mask()); break;
    case OSServiceId_GetAlarmBase: record_number(OSError_GetAlarmBase_AlarmID()); break;
    case OSServiceId_GetAlarm: record_number(OSError_GetAlarm_AlarmID()); break;
    case OSServiceId_SetRelAlarm:
        record_number(OSError_SetRelAlarm_AlarmID());
        record_number(OSError_SetRelAlarm_increment());
        record_number(OSError_SetRelAlarm_cycle());
        break;
    case OSServiceId_SetAbsAlarm:
        record_number(OSError_SetAbsAlarm_AlarmID());
        record_number(OSError_SetAbsAlarm_start());
        record_number(OSError_SetAbsAlarm_cycle());
        break;
    case OSServiceId_CancelAlarm: record_number(OSError_CancelAlarm_AlarmID()); break;
    case OSServiceId_IncrementCounter: record_number(OSError_IncrementCounter_CounterID()); break;
    default: break;
    }
}

static void record_com_error_parameters(void)
{
    unsigned service = COMErrorGetServiceId();
    record_service("", service);
    switch (service) {
    case COMServiceId_SendMessage: record_number(COMError_SendMessage_Message()); break;
    case COMServiceId_SendZeroMessage: record_number(COMError_SendZeroMessage_Message()); break;
    case COMServiceId_ReceiveMessage: record_number(COMError_ReceiveMessage_Message()); break;
    case COMServiceId_GetMessageStatus: record_number(COMError_GetMessageStatus_Message()); break;
    case COMServiceId_InitMessage: record_number(COMError_InitMessage_Message()); break;
    default: break;
    }
}

/* ---- arguments ---- */

/* A number, or the name of an object of this kind. */
static unsigned long argument(const command *call, int index, object_kind kind)
{
    const char *word = call->argument[index];
    char *end;
    unsigned long number;
    int object;
    if (index >= call->argument_count) {
        parse_error("an argument is missing", call->name);
    }
    number = strtoul(word, &end, 0);
    if (*end == 0) {
        return number;
    }
    object = kind == OBJECT_KINDS ? -1 : find_object(kind, word);
    if (object < 0) {
        parse_error("unknown argument", word);
    }
    return (unsigned long)object;
}

#define TASK_ARGUMENT (TaskType)argument(call, 0, OBJECT_TASK)
#define RESOURCE_ARGUMENT (ResourceType)argument(call, 0, OBJECT_RESOURCE)
#define ALARM_ARGUMENT (AlarmType)argument(call, 0, OBJECT_ALARM)
#define MESSAGE_ARGUMENT (MessageIdentifier)argument(call, 0, OBJECT_MESSAGE)
#define NUMBER(index) argument(call, index, OBJECT_KINDS)

/* ---- services with a result beside the status ---- */

static void get_task_id(const command *call)
{
    TaskType task = 0;
    StatusType code = GetTaskID(&task);
    (void)call;
    record_code(code);
    if (code == E_OK) {
        record_task(task);
    }
}

static void get_task_state(const command *call)
{
    TaskStateType state = 0;
    StatusType code = GetTaskState(TASK_ARGUMENT, &state);
    record_code(code);
    if (code == E_OK) {
        record(state_names[state]);
    }
}

static void get_event(const command *call)
{
    EventMaskType events = 0;
    StatusType code = GetEvent(TASK_ARGUMENT, &events);
    record_code(code);
    if (code == E_OK) {
        record_number(events);
    }
}

static void get_alarm_base(const command *call)
{
    AlarmBaseType base;
    StatusType code = GetAlarmBase(ALARM_ARGUMENT, &base);
    record_code(code);
    if (code == E_OK) {
        record_number(base.maxallowedvalue);
        record_number(base.ticksperbase);
        record_number(base.mincycle);
    }
}

static void get_alarm(const command *call)
{
    TickType ticks = 0;
    StatusType code = GetAlarm(ALARM_ARGUMENT, &ticks);
    record_code(code);
    if (code == E_OK) {
        record_number(ticks);
    }
}

/* The value is an unsigned integer of the message's size. */
static void with_message_value(const command *call, StatusType (*service)(MessageIdentifier, ApplicationDataRef))
{
    unsigned long number = NUMBER(1);
    uint8_t byte = (uint8_t)number;
    uint16_t half = (uint16_t)number;
    uint32_t word = (uint32_t)number;
    MessageIdentifier message = MESSAGE_ARGUMENT;
    size_t size = message < OSEK_MESSAGE_COUNT ? osek_messages[message].size : 4;
    record_code(service(message, size == 1 ? (void *)&byte : size == 2 ? (void *)&half : (void *)&word));
}

static void receive_message(const command *call)
{
    MessageIdentifier message = MESSAGE_ARGUMENT;
    size_t size = message < OSEK_MESSAGE_COUNT ? osek_messages[message].size : 4;
    uint32_t word = 0;
    uint16_t half = 0;
    uint8_t byte = 0;
    StatusType code = ReceiveMessage(message, size == 1 ? (void *)&byte : size == 2 ? (void *)&half : (void *)&word);
    record_code(code);
    if (code == E_OK || code == E_COM_LIMIT) {
        record_number(size == 1 ? byte : size == 2 ? half : word);
    }
}

static void raise_interrupt(const command *call)
{
    const char *word = call->argument[0];
    int isr = find_object(OBJECT_ISR, word);
    osek_interrupt(isr >= 0 ? (unsigned)isr : osek_counter_source(argument(call, 0, OBJECT_COUNTER)));
}

/* ---- all commands ---- */

static int is(const command *call, const char *name)
{
    return strcmp(call->name, name) == 0;
}

static int call_task_service(const command *call)
{
    if (is(call, "ActivateTask")) record_code(ActivateTask(TASK_ARGUMENT));
    else if (is(call, "TerminateTask")) record_code(TerminateTask());
    else if (is(call, "ChainTask")) record_code(ChainTask(TASK_ARGUMENT));
    else if (is(call, "Schedule")) record_code(Schedule());
    else if (is(call, "GetTaskID")) get_task_id(call);
    else if (is(call, "GetTaskState")) get_task_state(call);
    else if (is(call, "GetResource")) record_code(GetResource(RESOURCE_ARGUMENT));
    else if (is(call, "ReleaseResource")) record_code(ReleaseResource(RESOURCE_ARGUMENT));
    else if (is(call, "SetEvent")) record_code(SetEvent(TASK_ARGUMENT, (EventMaskType)NUMBER(1)));
    else if (is(call, "ClearEvent")) record_code(ClearEvent((EventMaskType)NUMBER(0)));
    else if (is(call, "GetEvent")) get_event(call);
    else if (is(call, "WaitEvent")) record_code(WaitEvent((EventMaskType)NUMBER(0)));
    else return 0;
    return 1;
}

static int call_alarm_service(const command *call)
{
    if (is(call, "GetAlarmBase")) get_alarm_base(call);
    else if (is(call, "GetAlarm")) get_alarm(call);
    else if (is(call, "SetRelAlarm"))
        record_code(SetRelAlarm(ALARM_ARGUMENT, (TickType)NUMBER(1), (TickType)NUMBER(2)));
    else if (is(call, "SetAbsAlarm"))
        record_code(SetAbsAlarm(ALARM_ARGUMENT, (TickType)NUMBER(1), (TickType)NUMBER(2)));
    else if (is(call, "CancelAlarm")) record_code(CancelAlarm(ALARM_ARGUMENT));
    else if (is(call, "IncrementCounter"))
        record_code(IncrementCounter((CounterType)argument(call, 0, OBJECT_COUNTER)));
    else return 0;
    return 1;
}

static int call_message_service(const command *call)
{
    if (is(call, "SendMessage")) with_message_value(call, SendMessage);
    else if (is(call, "InitMessage")) with_message_value(call, InitMessage);
    else if (is(call, "SendZeroMessage")) record_code(SendZeroMessage(MESSAGE_ARGUMENT));
    else if (is(call, "ReceiveMessage")) receive_message(call);
    else if (is(call, "GetMessageStatus")) record_code(GetMessageStatus(MESSAGE_ARGUMENT));
    else if (is(call, "ReadFlag")) record(osek_read_flag(MESSAGE_ARGUMENT) ? "COM_TRUE" : "COM_FALSE");
    else if (is(call, "ResetFlag")) osek_reset_flag(MESSAGE_ARGUMENT);
    else if (is(call, "StartCOM")) record_code(StartCOM((COMApplicationModeType)NUMBER(0)));
    else if (is(call, "StopCOM")) record_code(StopCOM((COMShutdownModeType)NUMBER(0)));
    else if (is(call, "GetCOMApplicationMode")) record_number(GetCOMApplicationMode());
    else return 0;
    return 1;
}

static int call_control_service(const command *call)
{
    if (is(call, "DisableAllInterrupts")) DisableAllInterrupts();
    else if (is(call, "EnableAllInterrupts")) EnableAllInterrupts();
    else if (is(call, "SuspendAllInterrupts")) SuspendAllInterrupts();
    else if (is(call, "ResumeAllInterrupts")) ResumeAllInterrupts();
    else if (is(call, "SuspendOSInterrupts")) SuspendOSInterrupts();
    else if (is(call, "ResumeOSInterrupts")) ResumeOSInterrupts();
    else if (is(call, "GetActiveApplicationMode")) record_number(GetActiveApplicationMode());
    else if (is(call, "StartOS")) StartOS((AppModeType)NUMBER(0));
    else if (is(call, "ShutdownOS")) ShutdownOS((StatusType)NUMBER(0));
    else if (is(call, "raise")) raise_interrupt(call);
    else if (is(call, "point")) osek_preemption_point();
    else if (is(call, "ErrorParameters")) record_error_parameters();
    else if (is(call, "COMErrorParameters")) record_com_error_parameters();
    else return 0;
    return 1;
}

void run_script(script *body)
{
    int part = body->runs < body->part_count ? body->runs : body->part_count - 1;
    int i;
    body->runs++;
    for (i = 0; part >= 0 && i < body->command_count[part]; i++) {
        const command *call = &body->commands[part][i];
        if (!call->is_call) {
            record(call->name);
        } else if (!call_task_service(call) && !call_alarm_service(call) && !call_message_service(call)
                   && !call_control_service(call)) {
            parse_error("unknown command", call->name);
        }
    }
}
