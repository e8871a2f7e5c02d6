// args: check --timeout 20 --no-interrupts
// expect: stdout assumed: volatile objects change only where the program writes them (--volatile memory): flag
// expect: stdout assumed: interrupt handlers are not called by hardware: isr
// expect: last TRUE
#include <assert.h>
static volatile int flag;
void __attribute__((interrupt)) isr(void *frame)
{
    flag = 1;
}
int main(void)
{
    for (int i = 0; i < 10; i++)
        assert(flag == 0);
    return 0;
}
