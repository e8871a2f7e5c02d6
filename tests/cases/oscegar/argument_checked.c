// Nobody reads the argument, but the division in it is checked: another task may come between its two reads.
// args: check --engine explicit --oil argument_checked.inc --checks div-by-zero
// expect: exit 1
// expect: last FALSE(div-by-zero)
#include "os.h"
static int y = 1, z = 0;
static void show(int v) { }
ISR(irq) { ActivateTask(H); }
TASK(H) { y = 2; z = 1; TerminateTask(); }
TASK(T) {
    show(10 / (y - z));
    TerminateTask();
}
