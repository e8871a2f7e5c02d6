// args: check --checks double-free --json
// expect: exit 1
// expect: stdout "line":11}
// expect: stdout "line":"free(a);"
// expect: stdout library-place.c:11:5","seconds"
// expect: no-stdout in free
#include <stdlib.h>
int main(void)
{
    int *a = malloc(4); free(a);
    free(a);
    return 0;
}
