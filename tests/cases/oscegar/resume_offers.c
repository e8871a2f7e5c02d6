// The handler may come as soon as interrupts are resumed, although no other task uses the kernel.
// args: check --engine explicit --oil resume_offers.inc
// expect: exit 1
// expect: last FALSE(unreach-call)
#include "os.h"
void reach_error(void);
static int x;
ISR(irq) { if (x == 1) reach_error(); }
TASK(T) { SuspendOSInterrupts(); x = 1; ResumeOSInterrupts(); x = 0; TerminateTask(); }
