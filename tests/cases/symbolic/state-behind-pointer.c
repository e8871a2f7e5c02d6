// args: check --engine symexia --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json behind-local
// A state machine in an object on the heap: predicates are about what lies behind the pointer, and behind a pointer there.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
struct queue { int next; };
struct machine { int unused, state; struct queue *queue; };

static void run(struct machine *m)
{
    int opened = 0;
    while (__VERIFIER_nondet_uchar()) {
        if (m->state == 100) {
            m->queue->next = 300;
            m->state = 200;
        } else if (m->state == 200) {
            opened = 1;
            m->state = m->queue->next;
        } else if (m->state == 300) {
            if (!opened)
                reach_error();
            m->state = 300;
        } else {
            reach_error();
        }
    }
}

int main(void)
{
    struct machine *m = malloc(sizeof *m);
    m->queue = malloc(sizeof *m->queue);
    m->state = 100;
    run(m);
    return 0;
}
