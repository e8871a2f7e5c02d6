// args: check --engine bmc
// expect: exit 0
// expect: stdout assumed: a _Bool that is read from memory is 0 or 1: s->on
// expect: last TRUE
// A step of a controller from an arbitrary state: the usual way to check a unit by itself.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
struct state {
    bool on, armed;
    int ticks;
};

static int step(struct state *s)
{
    if (s->on && s->armed)
        return 2;
    return s->on ? 1 : 0;
}

int main(void)
{
    struct state *s = malloc(sizeof *s);
    if (!s)
        return 0;
    struct state local, *other = &local;
    int r = step(s), q = step(other);
    assert(r >= 0 && r <= 2 && q >= 0 && q <= 2);
    return 0;
}
