// gcc: yes
#include <stdio.h>
#include <stdint.h>
#include <string.h>
union v { uint32_t word; uint8_t byte[4]; float f; struct { uint16_t lo, hi; } half; };
struct packet { uint8_t tag; union { uint16_t n; int8_t c[6]; } u; };
int main(void)
{
    union v v = { .word = 0x3f800000 };
    printf("%g %x %x %x\n", v.f, v.byte[3], v.half.hi, v.half.lo);
    v.byte[0] = 1;
    printf("%x\n", v.word);
    v.f = -0.0f;
    printf("%x\n", v.word);
    struct packet a = { 1, { .c = { 1, 2, 3 } } }, b;
    memcpy(&b, &a, sizeof a);
    printf("%d %d %d\n", b.u.n, b.u.c[2], (int)sizeof b);
    double d = 1.5;
    uint64_t bits;
    memcpy(&bits, &d, 8);
    printf("%llx\n", (unsigned long long)bits);
    *(uint8_t *)((char *)&bits + 7) = 0xbf;
    memcpy(&d, &bits, 8);
    printf("%g\n", d);
    return 0;
}
