// arch: 32 64
// gcc: yes
// A chain of packed bit-fields, each sharing a byte with the next, longer than any machine word.
#include <stdio.h>

struct __attribute__((packed)) chain {
    unsigned long long a : 61, b : 61, c : 61, d : 61, e : 61;
};

static struct chain x = { .a = 1, .c = 3 };

int main(void)
{
    x.b = 0x1555555555555555ULL;
    x.d = ~0ULL;
    x.e -= 2;
    x.c <<= 59;
    for (unsigned i = 0; i < sizeof x; i++)
        printf("%x ", ((unsigned char *)&x)[i]);
    printf("\n%llx %llx\n", (unsigned long long)x.b, (unsigned long long)x.e);
    return 0;
}
