// arch: 32 64
// gcc: yes
#include <stdio.h>
struct v { int x, y; };
struct big { struct v v[3]; char name[8]; double d; };
static struct v add(struct v a, struct v b) { a.x += b.x; a.y += b.y; return a; }
static struct big make(int n) { struct big b = { { { n, 1 }, { 2, n } }, "abc", n / 2.0 }; return b; }
static int second(struct big b) { b.v[0].x = 99; return b.v[1].y; }
static struct v *pick(struct big *b, int i) { return &b->v[i]; }
static struct v global = { 7, 8 };
int main(void)
{
    struct v a = { 1, 2 }, b = { .y = 5 };
    struct v c = add(a, add(b, global));
    printf("%d %d %d\n", c.x, c.y, a.x);
    struct big m = make(9), n = m;
    n.v[2] = c;
    printf("%d %d %s %g %d %d\n", second(m), m.v[0].x, m.name, m.d, n.v[2].y, m.v[2].y);
    printf("%d %d\n", make(4).v[1].y, add(a, b).y);
    *pick(&n, 1) = (struct v){ 10, 20 };
    pick(&n, 1)->x++;
    printf("%d %d\n", n.v[1].x, n.v[1].y);
    struct v arr[] = { [2] = { 5, 6 }, [0].y = 3 };
    printf("%d %d %d\n", (int)(sizeof arr / sizeof *arr), arr[0].y, arr[2].x);
    struct v t = (a.x > 0) ? a : b;
    a = b = t;
    printf("%d %d\n", a.x, b.y);
    struct { int tag; union { int i; struct { char lo, hi; }; }; } anon = { .tag = 1, .i = 0x0203 };
    printf("%d %d\n", anon.lo, anon.hi);
    return 0;
}
