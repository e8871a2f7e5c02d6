/* What the kernel tells its environment, and asks it. The file is apart so that a check can take its place. */
#include <stdlib.h>

#include "state.h"

_Bool __VERIFIER_nondet_bool(void);

/* Any of those that can occur, or none. Its number is a constant on each way out of the loop. */
unsigned osek_chosen_interrupt(void)
{
    unsigned source;
    for (source = 0; source < OSEK_SOURCE_COUNT; source++) {
        if (osek_interrupt_is_enabled(source) && __VERIFIER_nondet_bool()) {
            return source;
        }
    }
    return OSEK_SOURCE_COUNT;
}

/* The model goes on as os.h describes. */
void osek_undefined(OSServiceIdType service, StatusType code)
{
    (void)service;
    (void)code;
}

/* Nothing can be observed of a system that idles for ever, so that the run ends. */
void osek_halt(void)
{
    exit(0);
}
