// What avr-libc and newlib have; only radix 10 knows a sign.
// args: run
// arch: 64 32
// expect: stdout -120 0 ff 1010 zz -7 4294967295
#include <stdio.h>
char *itoa(int value, char *to, int radix);
char *utoa(unsigned value, char *to, int radix);
char *ltoa(long value, char *to, int radix);
char *ultoa(unsigned long value, char *to, int radix);

int main(void)
{
    char a[20], b[20], c[20], d[20], e[20], f[20], g[20];
    printf("%s %s %s %s ", itoa(-120, a, 10), itoa(0, b, 10), utoa(255, c, 16), itoa(10, d, 2));
    printf("%s %s %s\n", utoa(35 * 36 + 35, e, 36), ltoa(-7, f, 10), ultoa(4294967295ul, g, 10));
    return 0;
}
