// gcc: yes
// arch: 32 64
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <limits.h>
int main(void)
{
    const char *t[] = { "12", "  -34x", "0x1F", "077", "", "+", "99999999999999999999", "-99999999999999999999", "zz" };
    for (int i = 0; i < 9; i++) {
        char *e; errno = 0;
        long v = strtol(t[i], &e, 0); int r = errno;
        printf("%ld %d %d|", v, (int)(e - t[i]), r);
        printf("%lu %lld|", strtoul(t[i], NULL, 16), strtoll(t[i], NULL, 36));
    }
    printf("\n%d %ld %lld\n", atoi("42abc"), atol("-7"), atoll("123456789012"));
    printf("%g %g %g %g\n", atof("2.5"), strtod("-1e3", NULL), atof("0.001"), atof("x"));
    div_t d = div(-7, 2); ldiv_t l = ldiv(7, -2); lldiv_t q = lldiv(9, 4);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, q.quot, q.rem);
    printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
    return 0;
}
