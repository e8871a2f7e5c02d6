// arch: 32 64
// gcc: yes
#include <stdio.h>
#include <limits.h>
int main(void)
{
    signed char c = -128; unsigned char uc = 255; short s = -32768; unsigned short us = 65535;
    int i = INT_MAX; unsigned u = UINT_MAX; long l = LONG_MIN; unsigned long long ull = ULLONG_MAX;
    printf("%d %d %d %d\n", c - 1, uc + 1, s - 1, us * us);
    printf("%d %u %ld\n", i + 1, u + 1, l - 1);
    printf("%d %d %d\n", -7 / 2, -7 % 2, 7 % -2);
    printf("%u %u\n", -7 / 2u, -7 % 2u);
    printf("%d %d %d\n", -1 < 0u, (signed char)200, (unsigned char)-1);
    printf("%d %d %d\n", -8 >> 1, (int)(0x80000000u >> 31), 1 << 31 >> 31);
    printf("%llu %lld\n", ull >> 1, (long long)ull >> 63);
    printf("%d %d %d\n", c == 128, uc == -1, us == (unsigned short)-1);
    c++; c--; c -= 1; uc++; us += 70000;
    printf("%d %d %d\n", c, uc, us);
    printf("%d %d\n", ~0 == -1, ~(unsigned char)0);
    printf("%d %d %d\n", sizeof(1 ? c : uc) == sizeof(int), sizeof 'a' == sizeof(int), sizeof(+c) == sizeof(int));
    printf("%d\n", (int)3000000000u);
    printf("%ld %lu\n", (long)-1 / 3, (unsigned long)-1 / 3);
    printf("%d %d %d %d\n", __builtin_clz(1), __builtin_ctz(8), __builtin_popcount(255), __builtin_ffs(0));
    int r; printf("%d ", __builtin_add_overflow(INT_MAX, 1, &r)); printf("%d\n", r);
    unsigned char ur; printf("%d ", __builtin_mul_overflow(16, 17, &ur)); printf("%d\n", ur);
    printf("%x %llx\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x0102030405060708ULL));
    printf("%d %d\n", 'a', '\377');
    printf("%d %o %x\n", 0b1011, 0755, 0xBEEF);
    return 0;
}
