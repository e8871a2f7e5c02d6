/* The text of a case becomes the tables of the kernel and the scripts of its tasks, handlers and hooks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

osek_task osek_tasks[OSEK_TASK_COUNT];
osek_resource osek_resources[OSEK_RESOURCE_COUNT];
osek_counter osek_counters[OSEK_COUNTER_COUNT];
osek_alarm osek_alarms[OSEK_ALARM_COUNT];
osek_isr osek_isrs[OSEK_ISR_COUNT];
osek_message osek_messages[OSEK_MESSAGE_COUNT];
test_system sys;

static uint32_t buffers[OSEK_MESSAGE_COUNT][16];
static FILE *input;
static char line[16384];
static const char *path_of_input;
static int line_number;
static int line_is_pending;

_Noreturn void parse_error(const char *text, const char *word)
{
    fprintf(stderr, "%s line %d: %s: %s\n", path_of_input, line_number, text, word);
    _exit(2);
}

void parse_open(const char *path)
{
    path_of_input = path;
    line_number = 0;
    input = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (input == NULL) {
        parse_error("cannot open", path);
    }
}

int find_object(object_kind kind, const char *word)
{
    int i;
    for (i = 0; i < sys.counts[kind]; i++) {
        if (strcmp(sys.names[kind][i], word) == 0) {
            return i;
        }
    }
    return -1;
}

static int reference(object_kind kind, const char *word)
{
    int i = word == NULL ? -1 : find_object(kind, word);
    if (i < 0) {
        parse_error("unknown object", word == NULL ? "" : word);
    }
    return i;
}

static int new_object(object_kind kind, const char *word, int limit)
{
    int i = sys.counts[kind];
    if (word == NULL || i >= limit) {
        parse_error("no name, or too many objects", word == NULL ? "" : word);
    }
    strncpy(sys.names[kind][i], word, MAX_WORD - 1);
    sys.counts[kind]++;
    return i;
}

/* ---- scripts ---- */

/* One word: `Name(a,b)` is a call, anything else is recorded as it stands. */
static void parse_command(command *into, const char *word)
{
    const char *open = strchr(word, '(');
    size_t length = open == NULL ? strlen(word) : (size_t)(open - word);
    memset(into, 0, sizeof *into);
    if (length >= MAX_WORD) {
        parse_error("too long", word);
    }
    memcpy(into->name, word, length);
    if (open == NULL) {
        return;
    }
    into->is_call = 1;
    if (word[strlen(word) - 1] != ')') {
        parse_error("no closing parenthesis", word);
    }
    open++;
    while (*open != ')') {
        size_t size = strcspn(open, ",)");
        if (into->argument_count == 3 || size >= MAX_WORD || size == 0) {
            parse_error("bad arguments", word);
        }
        memcpy(into->argument[into->argument_count++], open, size);
        open += size + (open[size] == ',');
    }
}

static void parse_script(script *into, char *text)
{
    char *word;
    memset(into, 0, sizeof *into);
    into->part_count = 1;
    for (word = strtok(text, " \t\n"); word != NULL; word = strtok(NULL, " \t\n")) {
        int part = into->part_count - 1;
        if (strcmp(word, "|") == 0) {
            if (into->part_count++ == MAX_PARTS) {
                parse_error("too many parts", word);
            }
            continue;
        }
        if (into->command_count[part] == MAX_COMMANDS) {
            parse_error("too many commands", word);
        }
        parse_command(&into->commands[part][into->command_count[part]++], word);
    }
}

/* ---- what the tables call ---- */

#define ENTRIES(prefix, scripts)                                                                                     \
    static void prefix##0(void) { run_script(&scripts[0]); }                                                         \
    static void prefix##1(void) { run_script(&scripts[1]); }                                                         \
    static void prefix##2(void) { run_script(&scripts[2]); }                                                         \
    static void prefix##3(void) { run_script(&scripts[3]); }                                                         \
    static void prefix##4(void) { run_script(&scripts[4]); }
#define MORE_ENTRIES(prefix, scripts)                                                                                \
    static void prefix##5(void) { run_script(&scripts[5]); }
#define MOST_ENTRIES(prefix, scripts)                                                                                \
    static void prefix##6(void) { run_script(&scripts[6]); }                                                         \
    static void prefix##7(void) { run_script(&scripts[7]); }

ENTRIES(task_entry, sys.tasks)
MORE_ENTRIES(task_entry, sys.tasks)
MOST_ENTRIES(task_entry, sys.tasks)
ENTRIES(isr_entry, sys.isrs)
ENTRIES(alarm_entry, sys.alarm_callbacks)
MORE_ENTRIES(alarm_entry, sys.alarm_callbacks)
ENTRIES(message_entry, sys.message_callbacks)
MORE_ENTRIES(message_entry, sys.message_callbacks)
MOST_ENTRIES(message_entry, sys.message_callbacks)

static void (*const task_entries[])(void) = {task_entry0, task_entry1, task_entry2, task_entry3,
                                             task_entry4, task_entry5, task_entry6, task_entry7};
static void (*const isr_entries[])(void) = {isr_entry0, isr_entry1, isr_entry2, isr_entry3, isr_entry4};
static void (*const alarm_entries[])(void) = {alarm_entry0, alarm_entry1, alarm_entry2,
                                              alarm_entry3, alarm_entry4, alarm_entry5};
static void (*const message_entries[])(void) = {message_entry0, message_entry1, message_entry2, message_entry3,
                                                message_entry4, message_entry5, message_entry6, message_entry7};

/* ---- lines ---- */

static char *next_word(void)
{
    return strtok(NULL, " \t\n");
}

static unsigned long next_number(void)
{
    char *word = next_word();
    char *end;
    unsigned long value;
    if (word == NULL) {
        parse_error("a number is missing", "");
    }
    value = strtoul(word, &end, 0);
    if (*end != 0) {
        parse_error("not a number", word);
    }
    return value;
}

static void parse_task(void)
{
    int i = new_object(OBJECT_TASK, next_word(), OSEK_TASK_COUNT);
    osek_task *task = &osek_tasks[i];
    char *word;
    task->entry = task_entries[i];
    task->priority = task->running_priority = (osek_priority)next_number();
    task->preemptable = 1;
    task->activations = 1;
    while ((word = next_word()) != NULL) {
        if (strcmp(word, "non") == 0) {
            task->preemptable = 0;
        } else if (strcmp(word, "auto") == 0) {
            task->autostart = 1;
        } else if (strcmp(word, "modes") == 0) {
            task->autostart = (osek_modes)next_number();
        } else if (strcmp(word, "extended") == 0) {
            task->extended = 1;
        } else if (strcmp(word, "activations") == 0) {
            task->activations = (uint8_t)next_number();
        } else if (strcmp(word, "internal") == 0) {
            task->running_priority = (osek_priority)next_number();
        } else {
            parse_error("unknown attribute of a task", word);
        }
    }
}

static void parse_resource(void)
{
    int i = new_object(OBJECT_RESOURCE, next_word(), OSEK_RESOURCE_COUNT);
    osek_resources[i].ceiling = (osek_priority)next_number();
}

static void parse_counter(void)
{
    int i = new_object(OBJECT_COUNTER, next_word(), OSEK_COUNTER_COUNT);
    char *word;
    osek_counters[i].max_allowed_value = (TickType)next_number();
    osek_counters[i].ticks_per_base = 1;
    osek_counters[i].min_cycle = 1;
    while ((word = next_word()) != NULL) {
        if (strcmp(word, "base") == 0) {
            osek_counters[i].ticks_per_base = (TickType)next_number();
        } else if (strcmp(word, "mincycle") == 0) {
            osek_counters[i].min_cycle = (TickType)next_number();
        } else if (strcmp(word, "priority") == 0) {
            osek_counters[i].priority = (osek_priority)next_number();
        } else {
            parse_error("unknown attribute of a counter", word);
        }
    }
}

/* activates T, sets T MASK, calls, flag */
static int parse_action(osek_action *action, char *word, void (*callback)(void))
{
    if (strcmp(word, "activates") == 0) {
        action->kind = OSEK_ACTION_TASK;
        action->task = (uint8_t)reference(OBJECT_TASK, next_word());
    } else if (strcmp(word, "sets") == 0) {
        action->kind = OSEK_ACTION_EVENT;
        action->task = (uint8_t)reference(OBJECT_TASK, next_word());
        action->event = (EventMaskType)next_number();
    } else if (strcmp(word, "calls") == 0) {
        action->kind = OSEK_ACTION_CALLBACK;
        action->callback = callback;
    } else if (strcmp(word, "flag") == 0) {
        action->kind = OSEK_ACTION_FLAG;
    } else {
        return 0;
    }
    return 1;
}

static void parse_alarm(void)
{
    int i = new_object(OBJECT_ALARM, next_word(), OSEK_ALARM_COUNT);
    char *word;
    osek_alarms[i].counter = (uint8_t)reference(OBJECT_COUNTER, next_word());
    while ((word = next_word()) != NULL) {
        if (strcmp(word, "auto") == 0) {
            osek_alarms[i].autostart = 1;
            osek_alarms[i].alarm_time = (TickType)next_number();
            osek_alarms[i].cycle_time = (TickType)next_number();
        } else if (strcmp(word, "modes") == 0) {
            osek_alarms[i].autostart = (osek_modes)next_number();
        } else if (!parse_action(&osek_alarms[i].action, word, alarm_entries[i])) {
            parse_error("unknown attribute of an alarm", word);
        }
    }
}

static void parse_isr(void)
{
    int i = new_object(OBJECT_ISR, next_word(), OSEK_ISR_COUNT - 1);
    osek_isrs[i].entry = isr_entries[i];
    osek_isrs[i].category = (uint8_t)next_number();
    osek_isrs[i].priority = (osek_priority)next_number();
}

static const char *const filter_names[] = {
    "ALWAYS", "NEVER", "MASKEDNEWEQUALSX", "MASKEDNEWDIFFERSX", "NEWISEQUAL", "NEWISDIFFERENT",
    "MASKEDNEWEQUALSMASKEDOLD", "MASKEDNEWDIFFERSMASKEDOLD", "NEWISWITHIN", "NEWISOUTSIDE", "NEWISGREATER",
    "NEWISLESSOREQUAL", "NEWISLESS", "NEWISGREATEROREQUAL", "ONEEVERYN"};

static void parse_filter(osek_message *message)
{
    const char *word = next_word();
    unsigned i;
    for (i = 0; i < sizeof filter_names / sizeof *filter_names; i++) {
        if (word != NULL && strcmp(word, filter_names[i]) == 0) {
            message->filter = (uint8_t)i;
            message->a = (uint32_t)next_number();
            message->b = (uint32_t)next_number();
            return;
        }
    }
    parse_error("unknown filter", word == NULL ? "" : word);
}

/* message M SIZE [of SENDER [queue N] [filter F A B] [action] [initial N]] */
static void parse_message(void)
{
    int i = new_object(OBJECT_MESSAGE, next_word(), OSEK_MESSAGE_COUNT);
    osek_message *message = &osek_messages[i];
    char *word;
    message->kind = OSEK_MESSAGE_SEND;
    message->size = next_number();
    while ((word = next_word()) != NULL) {
        if (strcmp(word, "of") == 0) {
            message->kind = OSEK_MESSAGE_UNQUEUED;
            message->sender = (uint8_t)reference(OBJECT_MESSAGE, next_word());
            message->buffer = buffers[i];
        } else if (strcmp(word, "queue") == 0) {
            message->kind = OSEK_MESSAGE_QUEUED;
            message->queue_length = (uint8_t)next_number();
        } else if (strcmp(word, "filter") == 0) {
            parse_filter(message);
        } else if (strcmp(word, "initial") == 0) {
            uint32_t value = (uint32_t)next_number();
            memcpy(buffers[i], &value, sizeof value);
        } else if (!parse_action(&message->notification, word, message_entries[i])) {
            parse_error("unknown attribute of a message", word);
        }
    }
}

static void parse_inputs(void)
{
    char *word;
    while ((word = next_word()) != NULL) {
        int isr = find_object(OBJECT_ISR, word);
        int counter = find_object(OBJECT_COUNTER, word);
        sys.inputs[sys.input_count++] = (unsigned char)(isr >= 0 ? isr
            : counter >= 0 ? (int)osek_counter_source(counter)
            : strcmp(word, "none") == 0 ? 255 : (parse_error("unknown source", word), 0));
    }
}

static const char *const hook_names[HOOK_COUNT] = {"ErrorHook", "PreTaskHook", "PostTaskHook",
                                                   "StartupHook", "ShutdownHook", "COMErrorHook", "main"};

/* NAME : SCRIPT. The name is that of a task, a handler, a hook, or an alarm or message with a callback. */
static void parse_body(char *name, char *text)
{
    int i;
    for (i = 0; i < HOOK_COUNT; i++) {
        if (strcmp(name, hook_names[i]) == 0) {
            parse_script(&sys.hooks[i], text);
            return;
        }
    }
    if ((i = find_object(OBJECT_TASK, name)) >= 0) {
        parse_script(&sys.tasks[i], text);
    } else if ((i = find_object(OBJECT_ISR, name)) >= 0) {
        parse_script(&sys.isrs[i], text);
    } else if ((i = find_object(OBJECT_ALARM, name)) >= 0) {
        parse_script(&sys.alarm_callbacks[i], text);
    } else if ((i = find_object(OBJECT_MESSAGE, name)) >= 0) {
        parse_script(&sys.message_callbacks[i], text);
    } else {
        parse_error("a script for an unknown object", name);
    }
}

/* The record that a case demands; several lines are one record. */
static void parse_expect(void)
{
    char *word;
    while ((word = next_word()) != NULL) {
        if (sys.expected[0] != 0) {
            strcat(sys.expected, " ");
        }
        strcat(sys.expected, word);
    }
}

static void parse_line(void)
{
    char *colon = strchr(line, ':');
    char *word;
    if (colon != NULL && strncmp(line, "expect", 6) != 0) {
        char *name;
        *colon = 0;
        name = strtok(line, " \t\n");
        parse_body(name == NULL ? "" : name, colon + 1);
        return;
    }
    word = strtok(line, " \t\n");
    if (strcmp(word, "task") == 0) {
        parse_task();
    } else if (strcmp(word, "resource") == 0) {
        parse_resource();
    } else if (strcmp(word, "counter") == 0) {
        parse_counter();
    } else if (strcmp(word, "alarm") == 0) {
        parse_alarm();
    } else if (strcmp(word, "isr") == 0) {
        parse_isr();
    } else if (strcmp(word, "message") == 0) {
        parse_message();
    } else if (strcmp(word, "inputs") == 0) {
        parse_inputs();
    } else if (strcmp(word, "mode") == 0) {
        sys.mode = (int)next_number();
    } else if (strcmp(word, "status") == 0) {
        strncpy(sys.status, next_word(), MAX_WORD - 1);
    } else if (strcmp(word, "expect") == 0) {
        parse_expect();
    } else {
        parse_error("unknown line", word);
    }
}

static int read_line(void)
{
    if (!line_is_pending) {
        line_number++;
        if (fgets(line, sizeof line, input) == NULL) {
            return 0;
        }
        if (strlen(line) == sizeof line - 1) {
            parse_error("the line is too long", "");
        }
    }
    line_is_pending = 0;
    return 1;
}

static int is_blank(void)
{
    return line[strspn(line, " \t\n")] == 0 || line[0] == '#';
}

int parse_case(void)
{
    memset(&sys, 0, sizeof sys);
    strcpy(sys.status, "extended");
    memset(osek_tasks, 0, sizeof osek_tasks);
    memset(osek_resources, 0, sizeof osek_resources);
    memset(osek_counters, 0, sizeof osek_counters);
    memset(osek_alarms, 0, sizeof osek_alarms);
    memset(osek_isrs, 0, sizeof osek_isrs);
    memset(osek_messages, 0, sizeof osek_messages);
    memset(buffers, 0, sizeof buffers);
    do {
        if (!read_line()) {
            return 0;
        }
    } while (is_blank());
    if (sscanf(line, "case %127s", sys.name) != 1) {
        parse_error("a case begins with `case NAME`", line);
    }
    while (read_line()) {
        if (strncmp(line, "case ", 5) == 0) {
            line_is_pending = 1;
            break;
        }
        if (!is_blank()) {
            parse_line();
        }
    }
    /* The last handler makes the idle loop always ask for an input, by which the run ends. */
    osek_isrs[OSEK_ISR_COUNT - 1].category = 1;
    osek_isrs[OSEK_ISR_COUNT - 1].priority = 254;
    return 1;
}
