// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
#include <alloca.h>
volatile int count = -1;
int main(void)
{
    char *p = alloca(count);
    p[0] = 1;
    return 0;
}
