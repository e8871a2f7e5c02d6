// Where nobody fills objects, nothing is assumed of them.
// args: check
// expect: exit 0
// expect: no-stdout a _Bool
// expect: last TRUE
#include <assert.h>
extern int limit(int x);
static struct { _Bool on; } s;

int main(void)
{
    s.on = limit(3) > 2;
    assert(s.on <= 1);
    return 0;
}
