// args: check --engine bmc --missing nothing
// expect: stdout assumed: functions without a body return arbitrary values and change nothing: configure
// expect: last TRUE
#include <assert.h>
void configure(int *setting);

int main(void)
{
    int setting = 4;
    configure(&setting);
    assert(setting == 4);
    return 0;
}
