// gcc: yes
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static int seen(void) { int e = errno; errno = 0; return e; }
int main(void)
{
    volatile double zero = 0, one = 1;
    volatile size_t huge = (size_t)-1;
    printf("%d %d\n", malloc(huge) == NULL, seen() == ENOMEM);
    printf("%d %d\n", calloc(huge / 2, 4) == NULL, seen() == ENOMEM);
    sqrt(-one); printf("%d\n", seen() == EDOM);
    fmod(one, zero); printf("%d\n", seen() == EDOM);
    log(-one); printf("%d\n", seen() == EDOM);
    log(zero); printf("%d\n", seen() == ERANGE);
    acos(one + 1); printf("%d\n", seen() == EDOM);
    pow(zero, -one); printf("%d\n", seen() == ERANGE);
    pow(-one, 0.5); printf("%d\n", seen() == EDOM);
    ldexp(one, 5000); printf("%d\n", seen() == ERANGE);
    printf("%ld %d\n", strtol("12", NULL, 99), seen() == EINVAL);
    sqrt(one); log(one); printf("%d\n", seen());
    return 0;
}
