// arch: 32 64
// gcc: yes
// Of several alignments the last counts for a type and the strictest for an object or member.
#include <stdio.h>

struct __attribute__((aligned(8))) last {
    char c;
} __attribute__((aligned(2)));
typedef int aligned_twice __attribute__((aligned(16))) __attribute__((aligned(2)));
struct member {
    char c;
    char strictest __attribute__((aligned(8))) __attribute__((aligned(2)));
};
struct specifier {
    _Alignas(8) _Alignas(2) char c;
};

int main(void)
{
    printf("%u %u\n", (unsigned)_Alignof(struct last), (unsigned)sizeof(struct last));
    printf("%u %u\n", (unsigned)_Alignof(aligned_twice), (unsigned)__builtin_offsetof(struct member, strictest));
    printf("%u\n", (unsigned)sizeof(struct specifier));
    return 0;
}
