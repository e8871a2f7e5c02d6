/* Runs a generated program on all its inputs and prints what its checks were asked about.
 *
 * The program is compiled apart, with driver_choose for its inputs and driver_observe for its checks. What outlives
 * a run lies in the section plumb_state, so that a state is saved and restored by copying bytes.
 *
 *   once    the program from its initial state, on every sequence of inputs
 *   states  its main is one iteration of an endless loop: breadth-first search over the states it leads to
 *   fork    as once, each run in a process of its own, since sanitizers end the process
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_INPUTS = 64, MAX_CHECKS = 4, MAX_VALUES = 512, MAX_RUNS = 2000000, MAX_STATES = 20000 };
enum { SANITIZER_STATUS = 86 };

struct observation {
    long long value;
    unsigned long times;
};

/* Shared with the children of fork. */
static struct {
    unsigned char value[MAX_INPUTS], bound[MAX_INPUTS];
    unsigned length, at;
    struct observation seen[MAX_CHECKS][MAX_VALUES];
    unsigned seen_count[MAX_CHECKS];
    unsigned long runs, traps;
} *d;

extern char __start_plumb_state[] __attribute__((weak)), __stop_plumb_state[] __attribute__((weak));
extern int program_main(void);
int driver_ended;
static sigjmp_buf end_of_run;
static int forking;

static void too_large(const char *what)
{
    printf("large %s\n", what);
    fflush(stdout);
    _exit(0);
}

unsigned driver_choose(unsigned bound)
{
    if (d->at == d->length) {
        if (d->length == MAX_INPUTS)
            too_large("inputs");
        d->value[d->length] = 0;
        d->bound[d->length] = bound;
        d->length++;
    }
    return d->value[d->at++];
}

static int next_inputs(void)
{
    while (d->length && d->value[d->length - 1] + 1 == d->bound[d->length - 1])
        d->length--;
    if (!d->length)
        return 0;
    d->value[d->length - 1]++;
    return 1;
}

void driver_observe(int check, long long value)
{
    struct observation *seen = d->seen[check];
    for (unsigned i = 0; i < d->seen_count[check]; i++)
        if (seen[i].value == value) {
            seen[i].times++;
            return;
        }
    if (d->seen_count[check] == MAX_VALUES)
        too_large("values");
    seen[d->seen_count[check]++] = (struct observation){ value, 1 };
}

/* A run that ends before the program does: a failed assumption, abort. */
void driver_stop(void)
{
    if (forking)
        _exit(0);
    siglongjmp(end_of_run, 1);
}

static void on_trap(int signal)
{
    (void)signal;
    siglongjmp(end_of_run, 2);
}

/* Whether the program has come to its end, or to the end of the iteration. */
static int run(void)
{
    if (++d->runs > MAX_RUNS)
        too_large("runs");
    d->at = 0;
    driver_ended = 0;
    if (forking) {
        fflush(stdout);
        int status, child = fork();
        if (!child) {
            program_main();
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (status && !(WIFEXITED(status) && WEXITSTATUS(status) == SANITIZER_STATUS)) {
            printf("status %d\n", status);
            exit(0);
        }
        d->traps += status != 0;
        return 1;
    }
    switch (sigsetjmp(end_of_run, 1)) {
    case 0:
        program_main();
        return !driver_ended;
    case 2:
        d->traps++;
    }
    return 0;
}

static void once(char *initial, size_t size)
{
    do {
        memcpy(__start_plumb_state, initial, size);
        run();
        /* One run that a sanitizer ends decides the truth. */
    } while (!d->traps && next_inputs());
}

/* The states that were found, in the order in which they were. */
static struct {
    char *bytes;
    size_t size;
    unsigned count, slots[4 * MAX_STATES];
} states;

static void add_state(const char *state)
{
    unsigned long long hash = 14695981039346656037ull;
    for (size_t i = 0; i < states.size; i++)
        hash = (hash ^ (unsigned char)state[i]) * 1099511628211ull;
    unsigned slot = (hash ^ hash >> 29) % (4 * MAX_STATES);
    for (; states.slots[slot]; slot = (slot + 1) % (4 * MAX_STATES))
        if (!memcmp(states.bytes + (states.slots[slot] - 1) * states.size, state, states.size))
            return;
    if (states.count == MAX_STATES)
        too_large("states");
    memcpy(states.bytes + states.count * states.size, state, states.size);
    states.slots[slot] = ++states.count;
}

static void search(char *initial, size_t size)
{
    states.size = size;
    states.bytes = malloc(MAX_STATES * size + 1);
    add_state(initial);
    for (unsigned from = 0; from < states.count; from++)
        do {
            memcpy(__start_plumb_state, states.bytes + from * size, size);
            if (run())
                add_state(__start_plumb_state);
        } while (next_inputs());
    printf("states %u\n", states.count);
}

int main(int argc, char **argv)
{
    alarm(300);
    d = mmap(0, sizeof *d, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    size_t size = __stop_plumb_state - __start_plumb_state;
    char *initial = malloc(size + 1);
    memcpy(initial, __start_plumb_state, size);
    const char *mode = argc > 1 ? argv[1] : "";
    forking = !strcmp(mode, "fork");
    if (!forking) {
        signal(SIGILL, on_trap);
        signal(SIGFPE, on_trap);
    }
    if (!strcmp(mode, "states"))
        search(initial, size);
    else
        once(initial, size);
    printf("runs %lu\ntraps %lu\n", d->runs, d->traps);
    for (int check = 0; check < MAX_CHECKS; check++)
        for (unsigned i = 0; i < d->seen_count[check]; i++)
            printf("value %d %lld %lu\n", check, d->seen[check][i].value, d->seen[check][i].times);
    return 0;
}
