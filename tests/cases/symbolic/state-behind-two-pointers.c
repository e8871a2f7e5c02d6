// args: check --engine symexia
// expect: exit 1
// expect: last FALSE(unreach-call)
// What lies behind one pointer changes through another one.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
struct machine { int state; };

int main(void)
{
    struct machine *m = malloc(sizeof *m), *other = malloc(sizeof *other);
    m->state = 1;
    other->state = 1;
    while (1) {
        unsigned char in = __VERIFIER_nondet_uchar();
        if (in == 1)
            other = m;
        if (in == 2)
            other->state = 2;
        if (m->state != 1)
            reach_error();
    }
}
