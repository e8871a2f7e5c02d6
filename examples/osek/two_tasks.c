/*
 * Figure 1 of Kim and Choi, "Model checking embedded control software using OS-in-the-Loop CEGAR" (ASE 2019): two tasks under their
 * scheduler. Every wait of t2 is answered; a checker that does not know the scheduler finds waits that never end.
 *
 *   plumb check two_tasks.c --oil two_tasks.oil --os-checks=response
 */
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
