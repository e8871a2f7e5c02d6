// gcc: yes
#include <stdio.h>
struct in { int a[3]; struct { char c; short s; } t; };
struct out { int head; struct in x[2]; int tail; };
struct flex { int n; int data[]; };
static struct flex flexible = { 3, { 7, 8, 9 } };
static int matrix[2][3] = { 1, 2, 3, 4 };
static struct out o = { .tail = 9, .x[1].t.s = 4, .x = { [0] = { { [1] = 5 } } }, 6 };
static int *pointers[] = { &matrix[1][2], matrix[0] + 1, &o.x[1].a[2] };
static int ranges[] = { [0 ... 2] = 4, [5] = 1, 2 };
int main(void)
{
    struct out l = { 1, { { { 2, 3 }, { 'c' } }, 4, 5, 6, 'd', 7 }, 8 };
    printf("%d %d %d %d %d %d\n", l.head, l.x[0].a[2], l.x[0].t.c, l.x[1].a[1], l.x[1].t.s, l.tail);
    printf("%d %d %d %d\n", o.head, o.x[0].a[1], o.x[1].t.s, o.tail);
    printf("%d %d %d\n", matrix[1][0], matrix[1][1], flexible.data[2]);
    *pointers[0] = 11; *pointers[1] = 22; *pointers[2] = 33;
    printf("%d %d %d\n", matrix[1][2], matrix[0][1], o.x[1].a[2]);
    printf("%d %d %d\n", (int)(sizeof ranges / sizeof *ranges), ranges[4], ranges[6]);
    int n = 3, a[4] = { n, n * 2 };
    printf("%d %d %d\n", a[0], a[1], a[3]);
    int *p = (int[]){ 1, 2, n };
    struct in *q = &(struct in){ .t.c = n };
    printf("%d %d %d\n", p[2], q->t.c, q->a[0]);
    for (int i = 0; i < 2; i++) { int fresh[2] = { i }; printf("%d %d ", fresh[0], fresh[1]); fresh[1] = 5; }
    printf("\n");
    static int counter = 5; counter++;
    char grid[2][4] = { "ab", { 'c', 'd' } };
    printf("%d %s %s\n", counter, grid[0], grid[1]);
    return 0;
}
