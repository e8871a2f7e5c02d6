// One symbol under several types: by asm labels in one unit, by different declarations in two.
// args: check --engine bmc
// files: views.part
// expect: last TRUE
#include <assert.h>
extern int sum(const int *, int *);
extern int sum_again(int *, int *) __asm__("sum");
extern unsigned count;
extern char bytes[] __asm__("count");
extern int signed_count __asm__("count");
int complement(unsigned);
int main(void)
{
    int x = 3, y;
    assert(sum_again(&x, &y) == 4 && y == 3);
    assert(sum(&x, &y) == 4);
    assert((void *)sum == (void *)sum_again);
    count = 0x01020304u;
    assert(bytes[0] == 4 && bytes[3] == 1 && signed_count == 0x01020304);
    bytes[1] = 9;
    assert(count == 0x01020904u);
    assert(complement(7u) == -8);
    return 0;
}
