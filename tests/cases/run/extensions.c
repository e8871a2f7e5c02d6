// gcc: yes
#include <stdio.h>
struct empty {};
struct zero { int n; char data[0]; };
union cast { int i; char c[4]; };
static int sum(union cast c) { return c.c[0] + c.i; }
extern inline __attribute__((gnu_inline, always_inline)) int twice(int x) { return x * 2; }
static __attribute__((noinline, unused)) int unused(void) { return 1; }
typedef int v __attribute__((aligned(16)));
int $dollar = 3;
__extension__ typedef long long ll;
int main(void)
{
    __auto_type a = 2.5;
    __typeof__(int[3]) arr = { 1, 2, 3 };
    printf("%g %d %d %d\n", a, arr[2], (int)sizeof(struct empty), (int)sizeof(struct zero));
    printf("%d %d %d\n", (int)__alignof__(v), $dollar, twice(4));
    printf("%d\n", sum((union cast)7));
    printf("%d %d\n", __builtin_constant_p(3), __builtin_types_compatible_p(int, long));
    printf("%s\n", _Generic(1.0f, float: "float", double: "double", default: "other"));
    printf("%d\n", __builtin_choose_expr(1, 5, "no"));
    _Static_assert(sizeof(ll) == 8, "size");
    void *p = arr; p += 4; printf("%d %d\n", *(int *)p, (int)sizeof(void));
    int label_result; { __label__ here; label_result = 1; goto here; label_result = 2; here:; }
    printf("%d\n", label_result);
    if (__builtin_expect(a > 1, 1)) printf("expected\n");
    printf("%d\n", (int)sizeof(int[2][3]));
    int i = ({ 5; }), *q = &i; printf("%d\n", __sync_fetch_and_add(q, 3) + i);
    printf("%d ", __atomic_load_n(q, __ATOMIC_SEQ_CST)); __atomic_store_n(q, 4, __ATOMIC_RELAXED); printf("%d\n", *q);
    printf("%d %d\n", __sync_bool_compare_and_swap(q, 4, 9), i);
    asm("" ::: "memory");
    return 0;
}
