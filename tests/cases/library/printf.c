// gcc: yes
// arch: 32 64
#include <stdio.h>
int main(void)
{
    int n = printf("%d|%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%u|%c|%s|%%\n", -42, 42, 42, 42, 42, 42, 255, 255, 8, 7u, 'z', "text");
    printf("%d %ld %lld %hd %hhd %zu\n", n, -1L, 1LL << 40, (short)70000, (char)300, sizeof(int));
    printf("%*d|%-*d|%.*s|%.3d|%8.3d\n", 6, 1, 6, 2, 2, "abc", 5, 7);
    printf("%f %.2f %e %g %g %10.3f|%-10.1f|%+.0f\n", 3.14159, 2.675, 12345.678, 0.0001, 1e20, -1.5, 2.25, 2.5);
    printf("%g %f %F %.3g %Lf\n", 1.0 / 3, 1.0 / 0.0, -1.0 / 0.0, 1234567.0, 2.5L);
    puts("puts"); putchar('c'); putchar('\n');
    fprintf(stdout, "to %s\n", "stdout"); fprintf(stderr, "to stderr\n");
    fputs("fputs\n", stdout); fputc('x', stdout); putc('\n', stdout);
    fwrite("bytes\n", 1, 6, stdout);
    return 0;
}
