// gcc: yes
#include <stdio.h>
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static const op table[] = { add, sub, &mul };
struct device { const char *name; int (*open)(struct device *, int); void (*close)(struct device *); int state; };
static int dev_open(struct device *d, int n) { d->state = n; return n * 2; }
static void dev_close(struct device *d) { d->state = 0; }
static op choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int apply(op f, int n, int x) { return n == 0 ? x : apply(f, n - 1, f(x, n)); }
static int (*returns(void))(int, int) { return sub; }
int main(void)
{
    for (int i = 0; i < 3; i++) printf("%d ", table[i](7, 3));
    struct device d = { "d", dev_open, dev_close };
    printf("%d ", d.open(&d, 21));
    printf("%d ", d.state);
    d.close(&d);
    printf("%d\n", d.state);
    printf("%d %d %d\n", choose('-')(1, 2), (*choose('*'))(3, 4), (**returns())(9, 4));
    printf("%d\n", apply(mul, 5, 1));
    op f = 0;
    printf("%d %d\n", f == 0, table[0] == add && add != sub);
    return 0;
}
