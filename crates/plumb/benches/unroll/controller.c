/* A loop of constant body: a controller with a state, a queue and a filter. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

enum { IDLE, STARTING, RUNNING, STOPPING };

static int state = IDLE;
static int queue[8];
static unsigned head;
static int level;

static void put(int value)
{
    queue[head & 7u] = value;
    head++;
}

static void step(int input)
{
    switch (state) {
    case IDLE:
        if (input > 10)
            state = STARTING;
        break;
    case STARTING:
        put(input);
        state = input > 20 ? RUNNING : IDLE;
        break;
    case RUNNING:
        level += (input - level) / 4;
        if (level > 1000)
            state = STOPPING;
        break;
    default:
        level -= queue[input & 7];
        if (level < 0)
            state = IDLE;
        break;
    }
}

int main(void)
{
    for (;;) {
        step(__VERIFIER_nondet_int());
        if (state < IDLE || state > STOPPING)
            __VERIFIER_error();
    }
}
