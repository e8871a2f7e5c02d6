// args: run --checks all
// expect: exit 0
// gcc: yes
/* Objects of inner blocks, used in every way that is allowed. */
#include <stdio.h>
#include <string.h>
#include <alloca.h>
struct pair { int a, b; };
static int *global;
static int read_it(int *p) { global = p; return *p; }
static struct pair swap(const struct pair *p) { return (struct pair){p->b, p->a}; }
/* A jump back inside the block does not end the object's life. */
static int again(void)
{
    {
        int *p = 0;
    back:
        if (p)
            return *p;
        int x = 9;
        p = &x;
        goto back;
    }
}
/* A jump into the block: its objects live all the same. */
static int into(int n)
{
    int sum = 0;
    if (n > 2)
        goto inside;
    {
        int x;
        x = 1;
        sum += read_it(&x);
    inside:
        x = n;
        sum += read_it(&x);
    }
    return sum;
}
static int cases(int n)
{
    int sum = 0;
    switch (n) {
        int y;
    case 0: {
        int z = 3;
        int *p = &z;
        sum += *p;
        break;
    }
    case 1:
        y = 4;
        sum += read_it(&y);
        for (int i = 0; i < 3; i++) {
            int w = i, *p = &w;
            if (i == 1)
                continue;
            sum += *p * 10;
            if (i == 2)
                goto out;
        }
        break;
    default:
        while (n-- > 0) {
            struct pair v = {n, 1}, *p = &v;
            v = swap(p);
            sum += p->a + 2 * p->b;
            if (sum > 20)
                break;
        }
    }
out:
    return sum;
}
static int value(int n)
{
    return ({ int t = n; int *p = &t; *p + 1; }) + ({ struct pair q = {n, n}, *p = &q; *p; }).b;
}
static char *stays(int n)
{
    static char out[40];
    char *kept[3];
    for (int i = 0; i < 3; i++) {
        int x = i + n, *p = &x;
        kept[i] = alloca(8);
        snprintf(kept[i], 8, "%d.", *p);
    }
    strcpy(out, kept[0]);
    strcat(out, kept[1]);
    strcat(out, kept[2]);
    return out;
}
static int arrays(int n)
{
    int sum = 0;
    for (int i = 1; i < n; i++) {
        int v[i], k = i, *p = &k, *q = v;
        for (int j = 0; j < i; j++)
            q[j] = *p * j;
        if (i == 4)
            continue;
        sum += v[i - 1];
    }
    return sum;
}
static int deep(int n, int *above)
{
    if (n == 0)
        return *above;
    {
        int here = *above + n, *p = &here;
        return deep(n - 1, p) + *p;
    }
}
int main(void)
{
    int zero = 0;
    printf("%d %d %d\n", again(), into(1), into(5));
    printf("%d %d %d\n", cases(0), cases(1), cases(9));
    printf("%d %s %d %d\n", value(6), stays(3), arrays(7), deep(50, &zero));
    for (int i = 0; i < 3000; i++)
        zero += deep(3, &i);
    printf("%d\n", zero);
    return 0;
}
