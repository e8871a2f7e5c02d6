// args: check --engine bmc --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(unreach-call)
// The inputs that fill the state have 0 or 1 where it has a bool.
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
struct state {
    bool on, armed;
    int ticks;
};

int main(void)
{
    struct state *s = malloc(sizeof *s);
    if (!s)
        return 0;
    assert(!(s->on && !s->armed && s->ticks == 7));
    return 0;
}
