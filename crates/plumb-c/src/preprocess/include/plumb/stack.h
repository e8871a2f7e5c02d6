/* Stacks of calls, of which one runs: the base of tasks, interrupt handlers and threads. Built into Plumb. */
#ifndef PLUMB_STACK_H
#define PLUMB_STACK_H

/* A stack that will begin with start(argument). It does not run yet. Returns its number, the smallest that is free. The
   stack that main runs on has the number 0. The start function must not return. */
unsigned __plumb_stack_new(void (*start)(void *), void *argument);

/* The running stack stops here, and `stack` goes on where it stopped. Returns when somebody switches back. To switch to
   the running stack does nothing. */
void __plumb_stack_switch(unsigned stack);

/* The running stack is over, with all its calls and their objects, and `next` goes on. Stack 0 cannot end. */
__attribute__((__noreturn__)) void __plumb_stack_end(unsigned next);

/* The number of the running stack. */
unsigned __plumb_stack_current(void);

#endif
