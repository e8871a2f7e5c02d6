// gcc: yes
#include <stdio.h>
int main(void)
{
    int i = 0, s = 0;
    do { s += i; if (i == 3) continue; s *= 2; } while (++i < 6);
    printf("%d\n", s);
    for (;;) { if (i-- < 0) break; if (i & 1) continue; s += i; }
    printf("%d %d\n", s, i);
    while (i++ < 10) if (i == 5) break;
    printf("%d\n", i);
    for (int a = 0, b = 10; a < b; a++, b -= 2) printf("%d%d ", a, b);
    for (unsigned char c = 250; c != 3; c++) s += c;
    printf("%d\n", s);
    int primes = 0;
    for (int n = 2; n < 100; n++) { int d; for (d = 2; d * d <= n; d++) if (n % d == 0) goto next; primes++; next:; }
    printf("%d\n", primes);
    do ; while (0);
    return 0;
}
