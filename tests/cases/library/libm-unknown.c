// The host's values of long doubles are not computed: the user is told.
// args: run
// expect: exit 0
// expect: stderr the value of `cbrtl` is not that of a real library
#include <math.h>
#include <stdio.h>

int main(void)
{
    printf("%d\n", cbrtl(27.0L) > 0);
    return 0;
}
