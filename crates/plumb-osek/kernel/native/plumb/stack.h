/* The stacks of a program that has several; native/stack.c implements them for an ordinary compiler. */
#ifndef PLUMB_STACK_H
#define PLUMB_STACK_H

/* A stack that will begin with start(argument). It does not run yet. 0 is the stack that main runs on. */
unsigned __plumb_stack_new(void (*start)(void *), void *argument);

/* The running stack stops here, and `stack` goes on where it stopped. To itself: nothing. */
void __plumb_stack_switch(unsigned stack);

/* The running stack is over, and `next` goes on. */
_Noreturn void __plumb_stack_end(unsigned next);

unsigned __plumb_stack_current(void);

#endif
