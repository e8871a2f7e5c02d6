// args: run --checks conversion,unsigned-overflow,overflow,shift,div-by-zero,float-nan
// expect: exit 0
// expect: last exited with status 0
// gcc: yes

#include <math.h>
#include <stdlib.h>

/* No run evaluates what is static. */
static unsigned char all = -1;
static unsigned mask = 0u - 1;
static double none = 0.0 / 0.0;
static const signed char low[] = { 200, 255 };

struct fields { int a : 3; unsigned b : 3; unsigned long long wide : 40; signed long long deep : 40; };

int main(void)
{
    struct fields s = { -4, 7, 0xffffffffffull, -1 };
    char c = (char)300;
    unsigned char u = (unsigned char)-1;
    int i = 2147483647.0, least = -2147483648.9;
    long long big = 9e18;
    double root = sqrt(2), nothing = sqrt(none);
    div_t r = div(-7, 2);
    s.a = 3;
    s.a--;
    s.b ^= 7;
    s.wide >>= 1;
    s.deep = -s.deep;
    if (all != 255 || mask != ~0u || low[1] != -1 || c != 44 || u != 255 || i != 2147483647 || least != -2147483647 - 1)
        return 1;
    if (big != 9000000000000000000ll || !(root > 1.4) || nothing == nothing || abs(-5) != 5 || r.quot != -3)
        return 2;
    return s.a != 2 || s.b != 0 || s.wide != 0x7fffffffff || s.deep != 1;
}
