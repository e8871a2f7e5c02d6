// args: show layout
// expect: stdout struct s: size 24, align 8
// expect: stdout bits 3..10
// expect: stdout pair: size 8, align 4
// expect: stdout enum color: unsigned int
struct s { char c; double d; unsigned a : 3, b : 7; };
typedef struct { int x, y; } pair;
enum color { RED, GREEN };
int main(void) { return 0; }
