// args: run --checks leak
// expect: exit 1
// verdict: FALSE(valid-memtrack)
// expect: stdout violated: leak
#include <stdlib.h>
void *p;
int main(void)
{
    malloc(4);
    return 0;
}
