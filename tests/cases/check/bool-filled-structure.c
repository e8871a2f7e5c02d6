// The same of members, of copies of structures, and of a volatile object.
// args: check
// expect: exit 0
// expect: stdout a _Bool that is read from memory is 0 or 1
// expect: last TRUE
#include <assert.h>
struct state { int k; _Bool on; _Bool each[3]; };
extern void fill(volatile struct state *s);
static struct state global;
static volatile struct state device;

int main(void)
{
    struct state local = { 0 }, copy;
    fill(&global);
    fill(&local);
    fill(&device);
    copy = local;
    int n = copy.on + copy.each[1];
    assert(global.on <= 1 && local.each[2] <= 1 && device.on <= 1 && n <= 2);
    return 0;
}
