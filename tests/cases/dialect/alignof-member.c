// A member has an alignment of its own, which packing, attributes and pointers to better aligned types decide.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
struct __attribute__((packed)) packed { char c; long l; int a[2]; } packed;
struct aligned { char c; int i __attribute__((aligned(16))); } aligned, *pointer = &aligned;
struct standard { char c; _Alignas(8) short s; } standard;
int main(void) {
    assert(__alignof__(packed.l) == 1 && __alignof__(packed) == 1 && __alignof__(packed.a) == 1);
    assert(__alignof__(aligned.i) == 16 && __alignof__(pointer->i) == 16 && __alignof__(aligned.c) == 1);
    assert(__alignof__(standard.s) == 8);
    assert(__alignof__(*(char *)pointer) == 16);
    return 0;
}
