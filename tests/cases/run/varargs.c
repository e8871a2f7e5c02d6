// arch: 32 64
// gcc: yes
#include <stdarg.h>
#include <stdio.h>
struct pair { int a; double b; };
static long sum(const char *kinds, ...)
{
    va_list ap, again;
    va_start(ap, kinds);
    va_copy(again, ap);
    long s = 0;
    for (const char *k = kinds; *k; k++)
        switch (*k) {
        case 'i': s += va_arg(ap, int); break;
        case 'l': s += va_arg(ap, long); break;
        case 'd': s += (long)va_arg(ap, double); break;
        case 'c': s += (char)va_arg(ap, int); break;
        case 's': s += *va_arg(ap, char *); break;
        case 'q': s += (long)va_arg(ap, long long); break;
        case 'p': { struct pair p = va_arg(ap, struct pair); s += p.a + (long)p.b; break; }
        case 'e': s += (long)va_arg(ap, long double); break;
        }
    va_end(ap);
    int first = va_arg(again, int);
    va_end(again);
    return s * 100 + first;
}
static int vmax(int n, va_list ap) { int m = 0; while (n--) { int x = va_arg(ap, int); if (x > m) m = x; } return m; }
static int max(int n, ...) { va_list ap; va_start(ap, n); int m = vmax(n, ap); va_end(ap); return m; }
int main(void)
{
    char c = -3; short h = 7; float f = 2.5f;
    struct pair p = { 3, 4.5 };
    printf("%ld\n", sum("iicdsq", 1, h, c, f, "A", 1LL << 33));
    printf("%ld\n", sum("ilde", 5, 6L, 7.9, 8.5L));
    printf("%ld\n", sum("ipi", 1, p, 2));
    printf("%d %d\n", max(3, 4, 9, 2), max(0));
    return 0;
}
