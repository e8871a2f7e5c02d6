// Figure 1 of the paper on OiL-CEGAR: every wait is answered, which three refinements show.
// args: check --engine oscegar --os-checks=response --oil waits.inc
// expect: exit 0
// expect: last TRUE
// expect: stdout 3 refinements, 0 tracked variables
#include "os.h"

#define OFF 0
#define ON 1

DeclareTask(t1);
DeclareTask(t2);
DeclareEvent(e1);

int wait_sw = OFF;
int *p;

TASK(t1)
{
    static int local_var;

    p = &local_var;             /* B1 */
    local_var = ON;
    ActivateTask(t2);           /* B2 */
    if (wait_sw == ON) {        /* B3 */
        *p = OFF;               /* B4 */
        local_var = ON;
        *p = local_var;         /* B5 */
        SetEvent(t2, e1);       /* B6 */
    }
    ActivateTask(t2);           /* B7 */
    TerminateTask();            /* B8 */
}

TASK(t2)
{
    int first = wait_sw;        /* B1 */

    if (wait_sw == OFF) {       /* B2 */
        wait_sw = ON;           /* B3 */
        WaitEvent(e1);          /* B4 */
    }
    (void)first;
    TerminateTask();            /* B5 */
}
