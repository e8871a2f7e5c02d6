// gcc: yes
// arch: 32 64
#include <stdio.h>
int main(void)
{
    char b[200];
    int n = sprintf(b, "%d|%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%u|%c|%s|%%", -42, 42, 42, 42, 42, 42, 255, 255, 8, 7u, 'z', "text");
    printf("%s %d\n", b, n);
    n = snprintf(b, 6, "%s", "truncated");
    printf("%s %d %d\n", b, n, snprintf(NULL, 0, "%d", 12345));
    sprintf(b, "%ld %lld %hd %hhd %zu", -1L, 1LL << 40, (short)70000, (char)300, sizeof(int));
    printf("%s\n", b);
    sprintf(b, "%*d|%-*d|%.*s|%.3d|%8.3d", 6, 1, 6, 2, 2, "abc", 5, 7);
    printf("%s\n", b);
    sprintf(b, "%f %.2f %e %g %g %10.3f|%-10.1f|%+.0f", 3.14159, 2.675, 12345.678, 0.0001, 1e20, -1.5, 2.25, 2.5);
    printf("%s\n", b);
    sprintf(b, "%g %f %F %.3g %#g", 1.0 / 3, 1.0 / 0.0, -1.0 / 0.0, 1234567.0, 2.0);
    printf("%s\n", b);
    return 0;
}
