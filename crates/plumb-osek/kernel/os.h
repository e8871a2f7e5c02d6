/*
 * What an application sees of the operating system: OSEK/VDX OS 2.2.3, chapter 13, and the internal
 * communication of OSEK/VDX COM 3.0.3. The names of the system objects come from osek_ids.h, which is generated
 * from the OIL file.
 */
#ifndef OSEK_OS_H
#define OSEK_OS_H

#include <stdint.h>

/* ---- data types (13.1 and the data types of each group of services) ---- */

#ifndef STATUSTYPEDEFINED
#define STATUSTYPEDEFINED
typedef unsigned char StatusType;
#define E_OK 0
#endif

typedef uint8_t TaskType;
typedef TaskType *TaskRefType;
typedef uint8_t TaskStateType;
typedef TaskStateType *TaskStateRefType;
typedef uint8_t ResourceType;
typedef uint32_t EventMaskType;
typedef EventMaskType *EventMaskRefType;
typedef uint8_t CounterType;
typedef uint8_t AlarmType;
typedef uint32_t TickType;
typedef TickType *TickRefType;
typedef uint8_t AppModeType;
typedef uint8_t OSServiceIdType;

typedef struct {
    TickType maxallowedvalue;
    TickType ticksperbase;
    TickType mincycle;
} AlarmBaseType;
typedef AlarmBaseType *AlarmBaseRefType;

typedef uint8_t MessageIdentifier;
typedef void *ApplicationDataRef;
typedef uint8_t FlagValue;
typedef uint8_t COMApplicationModeType;
typedef uint8_t COMShutdownModeType;
typedef uint8_t COMServiceIdType;

#include "osek_ids.h"

/* ---- constants ---- */

#define E_OS_ACCESS 1
#define E_OS_CALLEVEL 2
#define E_OS_ID 3
#define E_OS_LIMIT 4
#define E_OS_NOFUNC 5
#define E_OS_RESOURCE 6
#define E_OS_STATE 7
#define E_OS_VALUE 8
/* AUTOSAR's code for a service that is called while interrupts are masked; OSEK leaves such a call undefined. */
#define E_OS_DISABLEDINT 19

#define E_COM_ID 32
#define E_COM_LENGTH 33
#define E_COM_LIMIT 34
#define E_COM_NOMSG 35

#define SUSPENDED 0
#define READY 1
#define RUNNING 2
#define WAITING 3

#define INVALID_TASK ((TaskType)255)

#define COM_FALSE 0
#define COM_TRUE 1
#define COM_SHUTDOWN_IMMEDIATE 0

/* ---- constructional elements ---- */

#define TASK(name) void osek_task_##name(void)
#define ISR(name) void osek_isr_##name(void)
#define ALARMCALLBACK(name) void osek_callback_##name(void)
#define COMCallback(name) void osek_comcallback_##name(void)

/*
 * The objects are declared by osek_ids.h, so that these declare nothing. They are legal wherever a declaration
 * is, more than once, and with or without a semicolon behind them.
 */
#define DeclareTask(name) struct osek_declaration;
#define DeclareResource(name) struct osek_declaration;
#define DeclareEvent(name) struct osek_declaration;
#define DeclareAlarm(name) struct osek_declaration;
#define DeclareCounter(name) struct osek_declaration;
#define DeclareMessage(name) struct osek_declaration;

/* ---- task management (13.2) ---- */

StatusType ActivateTask(TaskType TaskID);
StatusType TerminateTask(void);
StatusType ChainTask(TaskType TaskID);
StatusType Schedule(void);
StatusType GetTaskID(TaskRefType TaskID);
StatusType GetTaskState(TaskType TaskID, TaskStateRefType State);

/* ---- interrupt handling (13.3) ---- */

void EnableAllInterrupts(void);
void DisableAllInterrupts(void);
void ResumeAllInterrupts(void);
void SuspendAllInterrupts(void);
void ResumeOSInterrupts(void);
void SuspendOSInterrupts(void);

/* ---- resource management (13.4) ---- */

StatusType GetResource(ResourceType ResID);
StatusType ReleaseResource(ResourceType ResID);

/* ---- event control (13.5) ---- */

StatusType SetEvent(TaskType TaskID, EventMaskType Mask);
StatusType ClearEvent(EventMaskType Mask);
StatusType GetEvent(TaskType TaskID, EventMaskRefType Event);
StatusType WaitEvent(EventMaskType Mask);

/* ---- alarms (13.6) ---- */

StatusType GetAlarmBase(AlarmType AlarmID, AlarmBaseRefType Info);
StatusType GetAlarm(AlarmType AlarmID, TickRefType Tick);
StatusType SetRelAlarm(AlarmType AlarmID, TickType increment, TickType cycle);
StatusType SetAbsAlarm(AlarmType AlarmID, TickType start, TickType cycle);
StatusType CancelAlarm(AlarmType AlarmID);

/*
 * How an application advances a counter is left to the implementation (9.1). Both usual names are provided.
 */
StatusType IncrementCounter(CounterType CounterID);
StatusType SignalCounter(CounterType CounterID);

/* ---- execution control (13.7) ---- */

AppModeType GetActiveApplicationMode(void);
void StartOS(AppModeType Mode);
void ShutdownOS(StatusType Error);

/* ---- internal communication ---- */

StatusType StartCOM(COMApplicationModeType Mode);
StatusType StopCOM(COMShutdownModeType Mode);
COMApplicationModeType GetCOMApplicationMode(void);
StatusType InitMessage(MessageIdentifier Message, ApplicationDataRef DataRef);
StatusType SendMessage(MessageIdentifier Message, ApplicationDataRef DataRef);
StatusType SendZeroMessage(MessageIdentifier Message);
StatusType ReceiveMessage(MessageIdentifier Message, ApplicationDataRef DataRef);
StatusType GetMessageStatus(MessageIdentifier Message);
FlagValue osek_read_flag(MessageIdentifier Message);
void osek_reset_flag(MessageIdentifier Message);

/* ---- what an error hook may ask (11.2.2) ---- */

#define OSServiceId_ActivateTask 1
#define OSServiceId_TerminateTask 2
#define OSServiceId_ChainTask 3
#define OSServiceId_Schedule 4
#define OSServiceId_GetTaskID 5
#define OSServiceId_GetTaskState 6
#define OSServiceId_EnableAllInterrupts 7
#define OSServiceId_DisableAllInterrupts 8
#define OSServiceId_ResumeAllInterrupts 9
#define OSServiceId_SuspendAllInterrupts 10
#define OSServiceId_ResumeOSInterrupts 11
#define OSServiceId_SuspendOSInterrupts 12
#define OSServiceId_GetResource 13
#define OSServiceId_ReleaseResource 14
#define OSServiceId_SetEvent 15
#define OSServiceId_ClearEvent 16
#define OSServiceId_GetEvent 17
#define OSServiceId_WaitEvent 18
#define OSServiceId_GetAlarmBase 19
#define OSServiceId_GetAlarm 20
#define OSServiceId_SetRelAlarm 21
#define OSServiceId_SetAbsAlarm 22
#define OSServiceId_CancelAlarm 23
#define OSServiceId_IncrementCounter 24
#define OSServiceId_SignalCounter 24
#define OSServiceId_GetActiveApplicationMode 25
#define OSServiceId_StartOS 26
#define OSServiceId_ShutdownOS 27

#define COMServiceId_StartCOM 64
#define COMServiceId_StopCOM 65
#define COMServiceId_GetCOMApplicationMode 66
#define COMServiceId_InitMessage 67
#define COMServiceId_SendMessage 68
#define COMServiceId_SendZeroMessage 69
#define COMServiceId_ReceiveMessage 70
#define COMServiceId_GetMessageStatus 71

/* The failed service and its parameters: values in order of declaration, or the one parameter that is a reference. */
typedef struct {
    OSServiceIdType service;
    uint32_t value[3];
    void *reference;
} osek_failed_call;
extern osek_failed_call osek_failure;

#define OSErrorGetServiceId() ((OSServiceIdType)osek_failure.service)
#define OSError_ActivateTask_TaskID() ((TaskType)osek_failure.value[0])
#define OSError_ChainTask_TaskID() ((TaskType)osek_failure.value[0])
#define OSError_GetTaskID_TaskID() ((TaskRefType)osek_failure.reference)
#define OSError_GetTaskState_TaskID() ((TaskType)osek_failure.value[0])
#define OSError_GetTaskState_State() ((TaskStateRefType)osek_failure.reference)
#define OSError_GetResource_ResID() ((ResourceType)osek_failure.value[0])
#define OSError_ReleaseResource_ResID() ((ResourceType)osek_failure.value[0])
#define OSError_SetEvent_TaskID() ((TaskType)osek_failure.value[0])
#define OSError_SetEvent_Mask() ((EventMaskType)osek_failure.value[1])
#define OSError_ClearEvent_Mask() ((EventMaskType)osek_failure.value[0])
#define OSError_GetEvent_TaskID() ((TaskType)osek_failure.value[0])
#define OSError_GetEvent_Event() ((EventMaskRefType)osek_failure.reference)
#define OSError_WaitEvent_Mask() ((EventMaskType)osek_failure.value[0])
#define OSError_GetAlarmBase_AlarmID() ((AlarmType)osek_failure.value[0])
#define OSError_GetAlarmBase_Info() ((AlarmBaseRefType)osek_failure.reference)
#define OSError_GetAlarm_AlarmID() ((AlarmType)osek_failure.value[0])
#define OSError_GetAlarm_Tick() ((TickRefType)osek_failure.reference)
#define OSError_SetRelAlarm_AlarmID() ((AlarmType)osek_failure.value[0])
#define OSError_SetRelAlarm_increment() ((TickType)osek_failure.value[1])
#define OSError_SetRelAlarm_cycle() ((TickType)osek_failure.value[2])
#define OSError_SetAbsAlarm_AlarmID() ((AlarmType)osek_failure.value[0])
#define OSError_SetAbsAlarm_start() ((TickType)osek_failure.value[1])
#define OSError_SetAbsAlarm_cycle() ((TickType)osek_failure.value[2])
#define OSError_CancelAlarm_AlarmID() ((AlarmType)osek_failure.value[0])
#define OSError_IncrementCounter_CounterID() ((CounterType)osek_failure.value[0])
#define OSError_SignalCounter_CounterID() ((CounterType)osek_failure.value[0])

#define COMErrorGetServiceId() ((COMServiceIdType)osek_failure.service)
#define COMError_StartCOM_Mode() ((COMApplicationModeType)osek_failure.value[0])
#define COMError_StopCOM_Mode() ((COMShutdownModeType)osek_failure.value[0])
#define COMError_InitMessage_Message() ((MessageIdentifier)osek_failure.value[0])
#define COMError_InitMessage_DataRef() ((unsigned char *)osek_failure.reference)
#define COMError_SendMessage_Message() ((MessageIdentifier)osek_failure.value[0])
#define COMError_SendMessage_DataRef() ((unsigned char *)osek_failure.reference)
#define COMError_SendZeroMessage_Message() ((MessageIdentifier)osek_failure.value[0])
#define COMError_ReceiveMessage_Message() ((MessageIdentifier)osek_failure.value[0])
#define COMError_ReceiveMessage_DataRef() ((unsigned char *)osek_failure.reference)
#define COMError_GetMessageStatus_Message() ((MessageIdentifier)osek_failure.value[0])

/* ---- beyond the specification: where the environment acts ---- */

/*
 * A point where control may be taken away: any interrupt source that is not masked may occur here, any number of
 * times. Which one does is an input.
 */
void osek_preemption_point(void);

/*
 * The same behind an access of memory that only the tasks of a set touch as well (bit i stands for task i): nothing is
 * asked where none of them can preempt what runs. `activated` are the tasks that services activate.
 */
void osek_preemption_point_behind(uint32_t conflicting, uint32_t activated);

/*
 * The sources of interrupts: the handlers of the OIL file by their index, then the hardware counters,
 * osek_counter_source(counter). A source that is masked stays pending until it is not.
 */
void osek_interrupt(unsigned source);
#define osek_counter_source(counter) (OSEK_ISR_COUNT + (unsigned)(counter))

/*
 * The application did what the specification leaves undefined: a check of the extended status failed in a system
 * with standard status, a critical section contains a service call, a task ended without TerminateTask. `code`
 * says what was wrong. The kernel model goes on as the extended status would, or as if nothing were wrong.
 */
void osek_undefined(OSServiceIdType service, StatusType code);

/* No task is ready, and no interrupt can occur: the system idles for ever. Does not return. */
void osek_halt(void);

#endif
