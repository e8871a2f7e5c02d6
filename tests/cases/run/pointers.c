// arch: 32 64
// gcc: yes
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
struct node { int v; struct node *next; };
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void)
{
    int a[5] = { 1, 2, 3, 4, 5 }, *p = a, *q = a + 4;
    printf("%d %d %d %d\n", (int)(q - p), p < q, *(q - 2), 2[a]);
    while (p < q) swap(p++, q--);
    for (int i = 0; i < 5; i++) printf("%d ", a[i]);
    printf("\n");
    struct node n[3] = { { 1, &n[1] }, { 2, &n[2] }, { 3, NULL } };
    int s = 0;
    for (struct node *it = n; it; it = it->next) s = s * 10 + it->v;
    printf("%d %d\n", s, (int)offsetof(struct node, next) == (int)sizeof(void *));
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*row)[3] = m, *flat = &m[0][0];
    printf("%d %d %d\n", row[1][2], *(*(row + 1) + 1), flat[3]);
    char bytes[8]; *(int32_t *)(bytes + 4) = 0x01020304;
    printf("%d %d\n", bytes[4], bytes[7]);
    int **pp = &p; *pp = a; **pp += 5; (*pp)++;
    printf("%d %d\n", a[0], *p);
    uintptr_t u = (uintptr_t)&a[1]; int *back = (int *)(u + sizeof(int));
    printf("%d\n", *back);
    void *v = a; printf("%d %d\n", *((int *)v + 1), v == &a[0]);
    p = a; *p++ = 50; *++p = 60; (*p)--; printf("%d %d %d\n", a[0], a[2], (int)(p - a));
    const volatile int cv = 5; printf("%d\n", cv + *&cv);
    return !p;
}
