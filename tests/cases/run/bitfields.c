// arch: 32 64
// gcc: yes
#include <stdio.h>
struct s { int a : 3; unsigned b : 5; signed c : 1; _Bool d : 1; unsigned long long e : 40; int : 0; short f : 9; unsigned char g : 7; };
union u { struct { unsigned lo : 4, hi : 4; }; unsigned char byte; };
struct p { char x; int y : 20; } __attribute__((packed));
int main(void)
{
    struct s s = { 3, 31, -1, 5, 0xffffffffffULL, -200, 100 };
    printf("%d %u %d %d %llx %d %d\n", s.a, s.b, s.c, s.d, (unsigned long long)s.e, s.f, s.g);
    s.a = 5; s.b += 3; s.e <<= 8; s.f *= 2; s.g = -1;
    printf("%d %u %llx %d %d\n", s.a, s.b, (unsigned long long)s.e, s.f, s.g);
    int r = (s.a = 7), q = (s.b = 33);
    printf("%d %d %d %d\n", r, q, s.a++, --s.b);
    printf("%d %d\n", s.a, s.b);
    printf("%d %d\n", s.b - 10 < 0, (s.e & 0xff) - 1 < 0);
    union u u; u.byte = 0xa5; u.hi = 3;
    printf("%x %x %x\n", u.lo, u.hi, u.byte);
    struct p p = { 1, -5 };
    p.y ^= 0xff;
    printf("%d %d\n", p.y, (int)(sizeof(struct p)));
    static struct s t = { .b = 9, .e = 12345678901ULL, .f = -1 };
    printf("%d %u %llu %d\n", t.a, t.b, (unsigned long long)t.e, t.f);
    struct s copy = t; copy.f++;
    printf("%d %d %d\n", copy.f, t.f, sizeof copy == sizeof t);
    return 0;
}
