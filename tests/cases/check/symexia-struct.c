// args: check --engine symexia --witness {tmp}/w.yml --timeout 60
// then: validate --witness {tmp}/w.yml
// expect: stdout holds: no abstract path violates a check
// expect: last TRUE
// expect: then confirmed
// The state of a controller in a structure that a callee changes through a pointer.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum mode { IDLE, RUN, STOP, FAULT };

struct controller {
    enum mode mode;
    int starts;
    unsigned char enabled;
};

static struct controller controller;

static void step(struct controller *c, int request)
{
    switch (c->mode) {
    case IDLE:
        if (request > 0) {
            c->mode = RUN;
            c->starts++;
            c->enabled = 1;
        }
        break;
    case RUN:
        if (request < 0)
            c->mode = STOP;
        else if (request > 100)
            c->mode = FAULT;
        break;
    case STOP:
        c->enabled = 0;
        c->mode = IDLE;
        break;
    case FAULT:
        if (!c->enabled)
            reach_error();
        break;
    }
}

int main(void)
{
    for (;;)
        step(&controller, __VERIFIER_nondet_int());
}
