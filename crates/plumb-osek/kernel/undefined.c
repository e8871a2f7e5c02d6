/* A place of its own, so that a check can take the place of it. */
#include "os.h"

void osek_undefined(OSServiceIdType service, StatusType code)
{
    (void)service;
    (void)code;
}
