// A task returns without a service that ends it.
// args: check --engine oscegar --os-checks --oil waits.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout tasks end by a service
#include "os.h"

TASK(t1)
{
}

TASK(t2)
{
    TerminateTask();
}
