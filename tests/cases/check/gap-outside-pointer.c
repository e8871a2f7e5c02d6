// A gap of the model is told apart from undefined behaviour.
// args: check --engine bmc --strict
// expect: exit 2
// expect: stdout for example through a pointer that comes from outside
// expect: no-stdout undefined behaviour
// expect: last UNKNOWN
#include <assert.h>
extern int *take(void);
static int g = 1;

int main(void)
{
    int *p = take();
    if (p)
        *p = 5;
    assert(g == 1);
    return 0;
}
