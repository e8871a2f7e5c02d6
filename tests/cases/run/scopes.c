// gcc: yes
#include <stdio.h>
typedef int T;
int x = 1;
static int next(void) { static int n; return ++n; }
int main(void)
{
    int x = 2;
    { extern int x; printf("%d ", x); { int x = 3; printf("%d ", x); } }
    printf("%d\n", x);
    { T T = 5; printf("%d ", T); { struct T { int a; } T = { 6 }; printf("%d\n", T.a); } }
    enum { x2 = 4 }; { enum { x2 = 9 }; printf("%d ", x2); } printf("%d\n", x2);
    next(); next(); printf("%d\n", next());
    for (int i = 0; i < 2; i++) { static int s = 10; int l = 0; s++; l++; printf("%d%d ", s, l); }
    printf("\n");
    struct tag { int a; }; { struct tag { char b; }; printf("%d ", (int)sizeof(struct tag)); } printf("%d\n", (int)sizeof(struct tag));
    return 0;
}
