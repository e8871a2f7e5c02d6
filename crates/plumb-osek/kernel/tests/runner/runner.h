/*
 * Runs one system that is written as text and records what it does. The format is described in tests/README.md.
 *   parse.c   text to tables and scripts
 *   script.c  what a command of a script does, and the record
 *   main.c    the cases of a file, each in a process of its own
 */
#ifndef RUNNER_H
#define RUNNER_H

#include "config.h"

#define MAX_WORD 48
#define MAX_COMMANDS 128
#define MAX_PARTS 6
#define MAX_RECORD 200000
#define MAX_EXPECTED 4000

typedef struct {
    char name[MAX_WORD];             /* a service, or the word to record */
    int is_call;
    int argument_count;
    char argument[3][MAX_WORD];
} command;

/* What a task, a handler, a hook or a callback does: part i is for its i-th run, the last part for all later ones. */
typedef struct {
    int part_count;
    int command_count[MAX_PARTS];
    command commands[MAX_PARTS][MAX_COMMANDS];
    int runs;
} script;

typedef enum {
    OBJECT_TASK,
    OBJECT_RESOURCE,
    OBJECT_COUNTER,
    OBJECT_ALARM,
    OBJECT_ISR,
    OBJECT_MESSAGE,
    OBJECT_KINDS
} object_kind;

/* The hooks, and what main does before StartOS. */
enum { HOOK_ERROR, HOOK_PRETASK, HOOK_POSTTASK, HOOK_STARTUP, HOOK_SHUTDOWN, HOOK_COMERROR, HOOK_MAIN, HOOK_COUNT };

typedef struct {
    char names[OBJECT_KINDS][16][MAX_WORD];
    int counts[OBJECT_KINDS];
    script tasks[OSEK_TASK_COUNT];
    script isrs[OSEK_ISR_COUNT];
    script hooks[HOOK_COUNT];
    script alarm_callbacks[OSEK_ALARM_COUNT];
    script message_callbacks[OSEK_MESSAGE_COUNT];
    unsigned char inputs[256];
    int input_count;
    int mode;
    char status[MAX_WORD];
    char name[128];
    char expected[MAX_EXPECTED];
} test_system;

extern test_system sys;

/* parse.c: reads lines up to the next `case` line or the end; returns 0 at the end of the file. */
int parse_case(void);
void parse_open(const char *path);
_Noreturn void parse_error(const char *text, const char *word);
int find_object(object_kind kind, const char *word);

/* script.c */
void run_script(script *body);
void record(const char *word);
const char *recorded(void);
void record_service(const char *prefix, unsigned service);
const char *code_name(unsigned code);

#endif
