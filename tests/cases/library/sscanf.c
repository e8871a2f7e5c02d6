// gcc: yes
#include <stdio.h>
int main(void)
{
    int a = 0, b = 0, n = 0; char s[20] = "", c = 0; float f = 0; double d = 0; unsigned x = 0; long l = 0;
    printf("%d ", sscanf("12 -7 word 2.5 1e3 ff", "%d %ld %s %f %lf %x", &a, &l, s, &f, &d, &x));
    printf("%d %ld %s %g %g %u\n", a, l, s, f, d, x);
    printf("%d ", sscanf("a=5,b=6;", "a=%d,b=%d;%n", &a, &b, &n)); printf("%d %d %d\n", a, b, n);
    printf("%d ", sscanf("xyz123", "%[a-z]%2d%c", s, &a, &c)); printf("%s %d %c\n", s, a, c);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("q", "%d", &a), sscanf("5 q", "%d %d", &a, &b));
    printf("%d %d\n", sscanf("0x10 010", "%i %i", &a, &b), a + b);
    printf("%d %s\n", sscanf("skip this", "%*s %s", s), s);
    return 0;
}
