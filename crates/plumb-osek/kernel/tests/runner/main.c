/*
 * runner FILE...        runs every case of each file and compares its record with the expected one
 * runner --record FILE  prints the record of the cases of a file, one line for each
 *
 * Every case runs in a process of its own, because a system starts only once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner.h"
#include "state.h"

static int next_input;
static int report;

/* _exit: the parent still reads the file of cases. */
static _Noreturn void finish(void)
{
    dprintf(report, "%s\n", recorded());
    _exit(0);
}

/* The sources that occur, in order. In the idle loop the run ends after the last one; elsewhere nothing occurs. */
unsigned osek_chosen_interrupt(void)
{
    if (next_input < sys.input_count) {
        return sys.inputs[next_input++];
    }
    if (osek_current.level == OSEK_IDLE) {
        finish();
    }
    return 255;
}

void osek_undefined(OSServiceIdType service, StatusType code)
{
    record_service("undefined:", service);
    record(code_name(code));
}

void osek_halt(void)
{
    finish();
}

void ErrorHook(StatusType Error)
{
    if (sys.hooks[HOOK_ERROR].part_count > 0) {
        record(code_name(Error));
    }
    run_script(&sys.hooks[HOOK_ERROR]);
}

void COMErrorHook(StatusType Error)
{
    if (sys.hooks[HOOK_COMERROR].part_count > 0) {
        record(code_name(Error));
    }
    run_script(&sys.hooks[HOOK_COMERROR]);
}

void PreTaskHook(void)
{
    run_script(&sys.hooks[HOOK_PRETASK]);
}

void PostTaskHook(void)
{
    run_script(&sys.hooks[HOOK_POSTTASK]);
}

void StartupHook(void)
{
    run_script(&sys.hooks[HOOK_STARTUP]);
}

void ShutdownHook(StatusType Error)
{
    if (sys.hooks[HOOK_SHUTDOWN].part_count > 0) {
        record(code_name(Error));
    }
    run_script(&sys.hooks[HOOK_SHUTDOWN]);
}

/* Runs the case that was parsed last; its record comes back through a pipe. */
static void run_case(char *into)
{
    int ends[2];
    pid_t child;
    ssize_t size = 0;
    ssize_t got;
    int status;
    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("runner");
        exit(2);
    }
    if (child == 0) {
        close(ends[0]);
        report = ends[1];
        alarm(10);
        run_script(&sys.hooks[HOOK_MAIN]);
        StartOS((AppModeType)sys.mode);
        record("StartOS-returned");
        finish();
    }
    close(ends[1]);
    while ((got = read(ends[0], into + size, (size_t)(MAX_RECORD - 1 - size))) > 0) {
        size += got;
    }
    close(ends[0]);
    into[size > 0 ? size - 1 : 0] = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        snprintf(into, MAX_RECORD, "(the run failed, status %d)", status);
    }
}

/* `both` stands for extended and standard status; handlers that count as tasks have cases of their own. */
static int applies(void)
{
    return strcmp(sys.status, RUNNER_STATUS) == 0
        || (strcmp(sys.status, "both") == 0 && strcmp(RUNNER_STATUS, "handlers") != 0);
}

static int run_file(const char *path, int only_record)
{
    static char got[MAX_RECORD];
    const char *base = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    int failures = 0;
    parse_open(path);
    while (parse_case()) {
        if (!applies()) {
            continue;
        }
        fflush(stdout);
        run_case(got);
        if (only_record) {
            printf("%s\n", got);
        } else if (strcmp(got, sys.expected) == 0) {
            printf("ok     %.*s/%s\n", (int)strcspn(base, "."), base, sys.name);
        } else {
            printf("FAILED %.*s/%s\n       expected: %s\n       got:      %s\n", (int)strcspn(base, "."), base, sys.name,
                   sys.expected, got);
            failures++;
        }
    }
    return failures;
}

int main(int argc, char **argv)
{
    int only_record = argc > 1 && strcmp(argv[1], "--record") == 0;
    int failures = 0;
    int i;
    for (i = 1 + only_record; i < argc; i++) {
        failures += run_file(argv[i], only_record);
    }
    return failures > 0;
}
