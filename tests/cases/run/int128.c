// gcc: yes
#include <stdio.h>
typedef unsigned __int128 u128;
static void show(u128 x) { printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }
int main(void)
{
    u128 a = ((u128)0x123456789abcdefULL << 64) | 0xfedcba9876543210ULL;
    show(a); show(a * a); show(a / 12345); show(a % 1000003); show(~a); show(a << 100); show(a >> 17);
    __int128 b = -(__int128)a;
    show(b); show(b / 7); show(b % 7); show(b >> 5);
    printf("%d %d\n", b < 0, (u128)b > a);
    printf("%g\n", (double)a);
    return 0;
}
