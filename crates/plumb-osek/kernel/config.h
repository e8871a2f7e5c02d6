/*
 * The tables that describe one system: what the OIL file says, as C.
 *
 * The generator writes two files. `osek_ids.h` names the system objects and gives the OSEK_* numbers listed
 * below; `osek_tables.c` includes this header and defines the arrays declared at its end. The kernel reads both
 * and is otherwise the same for every system.
 *
 * osek_ids.h defines, always and all of them:
 *
 *   OSEK_TASK_COUNT  OSEK_RESOURCE_COUNT  OSEK_COUNTER_COUNT  OSEK_ALARM_COUNT  OSEK_ISR_COUNT
 *   OSEK_MESSAGE_COUNT  OSEK_MODE_COUNT
 *                                how many objects of each kind there are; 0 is a legal number for all but tasks
 *                                and modes
 *   OSEK_ACTIVATION_TOTAL        the sum of the activation limits of all tasks
 *   OSEK_EXTENDED_STATUS         1 for STATUS = EXTENDED, 0 for STANDARD
 *   OSEK_ERROR_HOOK  OSEK_PRETASK_HOOK  OSEK_POSTTASK_HOOK  OSEK_STARTUP_HOOK  OSEK_SHUTDOWN_HOOK
 *                                1 if the application defines the hook, else 0; OSEK_ERROR_HOOK is 2 if the
 *                                application defines it without its parameter
 *   OSEK_COM_EXTENDED_STATUS  OSEK_COM_ERROR_HOOK
 *                                the same for the COM object (0 if the file has none)
 *
 * and, if the system is for a kernel that differs from the specification in this,
 *
 *   OSEK_HANDLERS_AS_TASKS       1: handlers of category 2 and the idle loop are treated as tasks of no name. The
 *                                task hooks run around them too, and GetTaskID says INVALID_TASK there
 *
 * if time is told by what happens,
 *
 *   OSEK_TICKLESS                1: the interrupt of a hardware counter occurs when an alarm expires, and the ticks
 *                                before are passed over. Only for applications that neither read nor set alarms
 *
 * if all runs are to be looked at,
 *
 *   OSEK_FEW_POINTS              1: the environment is not asked for interrupts where they make no difference to what
 *                                could have been asked before. Not for checks of responses: an interrupt that
 *                                occurs in the end must be able to wherever the application stays for ever
 *
 * and, for each of the checks that are wanted (monitors.c),
 *
 *   OSEK_CHECK_RESPONSE  OSEK_CHECK_DEADLOCK  OSEK_CHECK_ACTIVATION  OSEK_CHECK_RESOURCE  OSEK_CHECK_LEVEL
 *   OSEK_CHECK_ERROR             1
 *
 * An object's identifier is its index in the table of its kind.
 */
#ifndef OSEK_CONFIG_H
#define OSEK_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "os.h"

#ifndef OSEK_HANDLERS_AS_TASKS
#define OSEK_HANDLERS_AS_TASKS 0
#endif

#ifndef OSEK_TICKLESS
#define OSEK_TICKLESS 0
#endif

#ifndef OSEK_FEW_POINTS
#define OSEK_FEW_POINTS 0
#endif

#ifndef OSEK_CHECK_RESPONSE
#define OSEK_CHECK_RESPONSE 0
#endif

#ifndef OSEK_CHECK_DEADLOCK
#define OSEK_CHECK_DEADLOCK 0
#endif

#ifndef OSEK_CHECK_ACTIVATION
#define OSEK_CHECK_ACTIVATION 0
#endif

#ifndef OSEK_CHECK_RESOURCE
#define OSEK_CHECK_RESOURCE 0
#endif

#ifndef OSEK_CHECK_LEVEL
#define OSEK_CHECK_LEVEL 0
#endif

#ifndef OSEK_CHECK_ERROR
#define OSEK_CHECK_ERROR 0
#endif

/* An array needs an element even if the system has no object of its kind. */
#define OSEK_ROOM(count) ((count) > 0 ? (count) : 1)

/*
 * Priorities. One scale serves tasks, interrupt handlers and ceilings; a larger number is more urgent. Only the
 * order matters, so the generator may renumber: every task has at least 1 (0 is the idle loop), and every
 * handler and every hardware counter is above all tasks. Category 1 handlers are not below category 2 handlers.
 * No number exceeds 254.
 */
typedef uint8_t osek_priority;

/* Sets of application modes: bit i stands for the mode with identifier i. */
typedef uint32_t osek_modes;

typedef struct {
    void (*entry)(void);
    osek_priority priority;
    /* The priority at which the task runs: the ceiling of its internal resource, or `priority` if it has none. */
    osek_priority running_priority;
    uint8_t preemptable;       /* 1: SCHEDULE = FULL, 0: SCHEDULE = NON */
    uint8_t activations;       /* how many activations may be pending, the running one included; 1 if extended */
    uint8_t extended;          /* 1: it has events and may wait */
    uint8_t services_only;     /* 1: no alarm and no message activates it; 0: not known */
    osek_modes autostart;      /* the modes that activate it at start */
} osek_task;

/*
 * Standard and linked resources, and RES_SCHEDULER if the system uses it. The ceiling is the highest priority of
 * the tasks and category 2 handlers that use the resource or one linked with it (specification 8.5); that of
 * RES_SCHEDULER is the highest priority of all tasks. Internal resources have no entry: they are in
 * osek_task.running_priority, and their identifiers are OSEK_RESOURCE_COUNT and above.
 */
typedef struct {
    osek_priority ceiling;
} osek_resource;

typedef struct {
    TickType max_allowed_value;
    TickType ticks_per_base;
    TickType min_cycle;
    /* The priority of the interrupt that advances a hardware counter; 0: only the application advances it. */
    osek_priority priority;
} osek_counter;

typedef enum {
    OSEK_ACTION_NONE,
    OSEK_ACTION_TASK,          /* activate `task` */
    OSEK_ACTION_EVENT,         /* set `event` of `task` */
    OSEK_ACTION_CALLBACK,      /* call `callback` */
    OSEK_ACTION_FLAG           /* raise the flag of the message (messages only) */
} osek_action_kind;

/* What the expiry of an alarm or the arrival of a message does. */
typedef struct {
    uint8_t kind;              /* osek_action_kind */
    uint8_t task;              /* OSEK_ACTION_TASK, OSEK_ACTION_EVENT; else 0 */
    EventMaskType event;       /* OSEK_ACTION_EVENT; else 0 */
    void (*callback)(void);    /* OSEK_ACTION_CALLBACK; else NULL */
} osek_action;

typedef struct {
    uint8_t counter;
    osek_action action;
    osek_modes autostart;      /* the modes that start it; 0: none */
    TickType alarm_time;       /* the counter's value at the first expiry, the counter starts with 0 */
    TickType cycle_time;       /* 0: it expires once */
} osek_alarm;

typedef struct {
    void (*entry)(void);
    uint8_t category;          /* 1 or 2 */
    osek_priority priority;    /* above all tasks */
} osek_isr;

typedef enum {
    OSEK_MESSAGE_SEND,         /* SEND_STATIC_INTERNAL, SEND_ZERO_INTERNAL */
    OSEK_MESSAGE_UNQUEUED,     /* RECEIVE_UNQUEUED_INTERNAL, RECEIVE_ZERO_INTERNAL */
    OSEK_MESSAGE_QUEUED        /* RECEIVE_QUEUED_INTERNAL */
} osek_message_kind;

/* The filter algorithms of COM 2.2.2. The names of the parameters a and b are those of the OIL file. */
typedef enum {
    OSEK_FILTER_ALWAYS,
    OSEK_FILTER_NEVER,
    OSEK_FILTER_MASKED_NEW_EQUALS_X,             /* a: MASK, b: X */
    OSEK_FILTER_MASKED_NEW_DIFFERS_X,            /* a: MASK, b: X */
    OSEK_FILTER_NEW_IS_EQUAL,
    OSEK_FILTER_NEW_IS_DIFFERENT,
    OSEK_FILTER_MASKED_NEW_EQUALS_MASKED_OLD,    /* a: MASK */
    OSEK_FILTER_MASKED_NEW_DIFFERS_MASKED_OLD,   /* a: MASK */
    OSEK_FILTER_NEW_IS_WITHIN,                   /* a: MIN, b: MAX */
    OSEK_FILTER_NEW_IS_OUTSIDE,                  /* a: MIN, b: MAX */
    OSEK_FILTER_NEW_IS_GREATER,
    OSEK_FILTER_NEW_IS_LESS_OR_EQUAL,
    OSEK_FILTER_NEW_IS_LESS,
    OSEK_FILTER_NEW_IS_GREATER_OR_EQUAL,
    OSEK_FILTER_ONE_EVERY_N                      /* a: PERIOD, b: OFFSET */
} osek_filter_kind;

/*
 * A message. A sender has kind, size and nothing else. A receiver repeats the size of its sender. `buffer` is an
 * array of max(queue_length, 1) values of the data type, defined in osek_tables.c; for an unqueued message its
 * initialiser is INITIALVALUE (0 by default). Filters other than ALWAYS, NEVER and ONEEVERYN need a size of 1, 2
 * or 4: they compare unsigned integers.
 */
typedef struct {
    uint8_t kind;              /* osek_message_kind */
    uint8_t sender;            /* receivers: the identifier of the sending message */
    uint8_t queue_length;      /* OSEK_MESSAGE_QUEUED: QUEUESIZE; else 0 */
    uint8_t filter;            /* osek_filter_kind */
    size_t size;               /* bytes of one value; 0: zero-length message */
    void *buffer;              /* receivers with size > 0; else NULL */
    uint32_t a;                /* parameters of the filter */
    uint32_t b;
    osek_action notification;
} osek_message;

/* Tests fill the tables at run time; everywhere else they are constant. */
#ifndef OSEK_TABLE
#define OSEK_TABLE const
#endif

extern OSEK_TABLE osek_task osek_tasks[OSEK_ROOM(OSEK_TASK_COUNT)];
extern OSEK_TABLE osek_resource osek_resources[OSEK_ROOM(OSEK_RESOURCE_COUNT)];
extern OSEK_TABLE osek_counter osek_counters[OSEK_ROOM(OSEK_COUNTER_COUNT)];
extern OSEK_TABLE osek_alarm osek_alarms[OSEK_ROOM(OSEK_ALARM_COUNT)];
extern OSEK_TABLE osek_isr osek_isrs[OSEK_ROOM(OSEK_ISR_COUNT)];
extern OSEK_TABLE osek_message osek_messages[OSEK_ROOM(OSEK_MESSAGE_COUNT)];

#endif
