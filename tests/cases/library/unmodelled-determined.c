// What arguments determine is not arbitrary.
// args: check --engine bmc
// expect: exit 2
// expect: stdout gnu_dev_major is not modelled
// expect: last UNKNOWN
#include <assert.h>
extern unsigned gnu_dev_major(unsigned long long device);

int main(void)
{
    assert(gnu_dev_major(0x300) == 3);
    return 0;
}
