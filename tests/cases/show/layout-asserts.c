// args: show layout --asserts
// expect: stdout _Static_assert(sizeof(struct s) == 16,
// expect: stdout _Static_assert(__builtin_offsetof(struct s, in.b) == 12,
// expect: stdout _Static_assert(_Alignof(pair) == 4,
struct s { long l; struct { int a, b; } in; };
typedef struct { int x, y; } pair;
int main(void) { return 0; }
