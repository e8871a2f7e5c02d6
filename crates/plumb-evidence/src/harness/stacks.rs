//! Stacks in a harness: the functions of `plumb/stack.h` on top of the host's contexts, so that the compiled program switches
//! where the recorded run does.
//!
//! The text comes first in the file: the host's headers want to be asked for before any of them is read. It uses
//! `plumb_strayed`, which it declares.

use plumb_ir::stacks::MOST_STACKS;

/// Bytes of each stack but the program's first one.
const STACK_BYTES: u32 = 1 << 20;

/// The functions, as C that ends a program which uses stacks as they cannot be.
pub fn stacks_runtime() -> String {
    RUNTIME.replace("MOST_STACKS", &MOST_STACKS.to_string()).replace("STACK_BYTES", &STACK_BYTES.to_string())
}

const RUNTIME: &str = r#"#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <ucontext.h>

static void plumb_strayed(const char *why);

static struct {
    ucontext_t context;
    void (*start)(void *);
    void *argument;
    int is_live;
} plumb_stacks[MOST_STACKS] = { { .is_live = 1 } };
static char plumb_stack_room[MOST_STACKS][STACK_BYTES] __attribute__((aligned(64)));
static unsigned plumb_running_stack;

static void __attribute__((no_instrument_function)) plumb_stack_begin(void)
{
    plumb_stacks[plumb_running_stack].start(plumb_stacks[plumb_running_stack].argument);
    plumb_strayed("the function that a stack started with returns");
}

static void __attribute__((no_instrument_function)) plumb_stack_required(unsigned stack)
{
    if (stack >= MOST_STACKS || !plumb_stacks[stack].is_live)
        plumb_strayed("there is no such stack");
}

unsigned __attribute__((weak, no_instrument_function)) __plumb_stack_new(void (*start)(void *), void *argument)
{
    unsigned stack = 0;
    while (stack < MOST_STACKS && plumb_stacks[stack].is_live)
        stack++;
    if (stack == MOST_STACKS)
        plumb_strayed("there are too many stacks");
    getcontext(&plumb_stacks[stack].context);
    plumb_stacks[stack].context.uc_stack.ss_sp = plumb_stack_room[stack];
    plumb_stacks[stack].context.uc_stack.ss_size = STACK_BYTES;
    plumb_stacks[stack].context.uc_link = 0;
    makecontext(&plumb_stacks[stack].context, plumb_stack_begin, 0);
    plumb_stacks[stack].start = start;
    plumb_stacks[stack].argument = argument;
    plumb_stacks[stack].is_live = 1;
    return stack;
}

void __attribute__((weak, no_instrument_function)) __plumb_stack_switch(unsigned stack)
{
    unsigned stopped = plumb_running_stack;
    plumb_stack_required(stack);
    if (stack == stopped)
        return;
    plumb_running_stack = stack;
    swapcontext(&plumb_stacks[stopped].context, &plumb_stacks[stack].context);
}

void __attribute__((weak, no_instrument_function, noreturn)) __plumb_stack_end(unsigned next)
{
    plumb_stack_required(next);
    if (plumb_running_stack == 0 || next == plumb_running_stack)
        plumb_strayed("this stack cannot end");
    plumb_stacks[plumb_running_stack].is_live = 0;
    plumb_running_stack = next;
    setcontext(&plumb_stacks[next].context);
    plumb_strayed("a stack does not go on");
    __builtin_unreachable();
}

unsigned __attribute__((weak, no_instrument_function)) __plumb_stack_current(void)
{
    return plumb_running_stack;
}

"#;
