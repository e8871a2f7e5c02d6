// arch: 32 64
// gcc: yes -fwrapv
// Bit-fields wider than int keep their width in arithmetic, on either side of a compound assignment too.
#include <stdio.h>

struct wide {
    unsigned long long f : 42;
    int i : 5;
    _Bool b : 1;
};

static struct wide x;

int main(void)
{
    int k = -1;
    x.f = 0x3ffffffffffULL;
    x.i = -1;
    x.i /= x.f - 4;
    printf("%d\n", x.i);
    k /= x.f;
    printf("%d\n", k);
    k = -1;
    k %= (x.f & 255) + 2;
    printf("%d\n", k);
    x.b = 1;
    x.b += x.f;
    printf("%d\n", x.b);
    printf("%llx\n", (unsigned long long)(x.f << 3));
    return 0;
}
