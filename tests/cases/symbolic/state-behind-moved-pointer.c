// args: check --engine symexia
// expect: exit 1
// expect: last FALSE(unreach-call)
// A pointer that leads to another object in the next iteration, whose state is another.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
struct machine { int state; struct machine *next; };

int main(void)
{
    struct machine *a = malloc(sizeof *a), *b = malloc(sizeof *b), *m = a;
    a->state = 1;
    b->state = 2;
    a->next = b;
    b->next = a;
    while (__VERIFIER_nondet_uchar()) {
        int before = m->state;
        m = m->next;
        if (before == 2)
            reach_error();
    }
    return 0;
}
