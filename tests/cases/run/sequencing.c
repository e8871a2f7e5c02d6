// arch: 32 64
// gcc: yes
#include <stdio.h>
static int calls;
static int f(int x) { calls = calls * 10 + x; return x; }
int main(void)
{
    int a = 0, b = 1;
    if (f(0) && f(1)) a = 9;
    if (f(2) || f(3)) b = f(4) ? f(5) : f(6);
    printf("%d %d %d\n", calls, a, b);
    calls = 0;
    a = (f(1), f(2), f(3));
    printf("%d %d\n", calls, a);
    int i = 0;
    int v[4] = {0};
    v[i++] = 5;
    v[i] += 2;
    printf("%d %d %d\n", i, v[0], v[1]);
    a = 5;
    a += a * 0 + 2;
    b = a++ + 1;
    printf("%d %d\n", a, b);
    int x = 3;
    int y = x > 2 ? x++, x * 2 : x--;
    printf("%d %d %d\n", x, y, !x || x == 4);
    int z = 0 ?: 7;
    calls = 0;
    int t = f(4) ?: f(5);
    printf("%d %d %d\n", z, t, calls);
    return a;
}
