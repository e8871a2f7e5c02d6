/* What the kernel tells its environment. The file is apart so that a check can take its place. */
#include <stdlib.h>

#include "os.h"

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
