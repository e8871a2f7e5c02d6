// args: check --missing error
// expect: exit 3
// expect: stderr `configure` has no body
#include <assert.h>
void configure(int *setting);

int main(void)
{
    int setting = 4;
    configure(&setting);
    assert(setting == 4);
    return 0;
}
