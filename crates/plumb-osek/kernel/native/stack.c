/*
 * Stacks for an ordinary compiler, by POSIX contexts. The rules are those of the checker: a new stack gets the
 * smallest free number, 0 is the stack of main, and misuse ends the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "plumb/stack.h"

#define STACK_LIMIT 256
#define STACK_BYTES (256 * 1024)

typedef enum { STACK_FREE, STACK_ALIVE, STACK_ENDED } stack_state;

typedef struct {
    stack_state state;               /* STACK_ENDED: its memory is given back when another stack has taken over */
    ucontext_t context;
    void (*start)(void *);
    void *argument;
    char *memory;
} stack;

static stack stacks[STACK_LIMIT] = {{STACK_ALIVE, {0}, NULL, NULL, NULL}};
static unsigned current;

static _Noreturn void fault(const char *text)
{
    fprintf(stderr, "stack %u: %s\n", current, text);
    abort();
}

/* A stack cannot free its own memory; the one that goes on does it. */
static void collect_ended(void)
{
    unsigned number;
    for (number = 1; number < STACK_LIMIT; number++) {
        if (stacks[number].state == STACK_ENDED && number != current) {
            free(stacks[number].memory);
            stacks[number].memory = NULL;
            stacks[number].state = STACK_FREE;
        }
    }
}

/* makecontext passes only int arguments, so the function and its argument are looked up. */
static void begin(void)
{
    collect_ended();
    stacks[current].start(stacks[current].argument);
    fault("its start function returned");
}

unsigned __plumb_stack_new(void (*start)(void *), void *argument)
{
    unsigned number = 1;
    while (number < STACK_LIMIT && stacks[number].state != STACK_FREE) {
        number++;
    }
    if (number == STACK_LIMIT) {
        fault("too many stacks");
    }
    stacks[number].start = start;
    stacks[number].argument = argument;
    stacks[number].memory = malloc(STACK_BYTES);
    if (stacks[number].memory == NULL || getcontext(&stacks[number].context) != 0) {
        fault("no memory for a stack");
    }
    stacks[number].context.uc_stack.ss_sp = stacks[number].memory;
    stacks[number].context.uc_stack.ss_size = STACK_BYTES;
    stacks[number].context.uc_link = NULL;
    makecontext(&stacks[number].context, begin, 0);
    stacks[number].state = STACK_ALIVE;
    return number;
}

static void require_alive(unsigned number)
{
    if (number >= STACK_LIMIT || stacks[number].state != STACK_ALIVE) {
        fault("switch to a stack that does not exist");
    }
}

void __plumb_stack_switch(unsigned number)
{
    unsigned previous = current;
    require_alive(number);
    if (number == current) {
        return;
    }
    current = number;
    if (swapcontext(&stacks[previous].context, &stacks[number].context) != 0) {
        fault("the context could not be switched");
    }
    collect_ended();
}

_Noreturn void __plumb_stack_end(unsigned next)
{
    require_alive(next);
    if (next == current || current == 0) {
        fault("a stack ended into itself, or the stack of main ended");
    }
    stacks[current].state = STACK_ENDED;
    current = next;
    setcontext(&stacks[next].context);
    fault("the context could not be switched");
}

unsigned __plumb_stack_current(void)
{
    return current;
}
