// gcc: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rec { int key, order; };
static int by_key(const void *a, const void *b) { return ((const struct rec *)a)->key - ((const struct rec *)b)->key; }
static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void)
{
    int v[] = { 5, 2, 9, -1, 7, 2, 0 }; qsort(v, 7, sizeof *v, by_int);
    for (int i = 0; i < 7; i++) printf("%d ", v[i]);
    struct rec r[20]; for (int i = 0; i < 20; i++) r[i] = (struct rec){ i * 7 % 5, i };
    qsort(r, 20, sizeof *r, by_key);
    for (int i = 0; i < 20; i++) printf("%d.%d ", r[i].key, r[i].order);
    const char *w[] = { "pear", "apple", "fig" }; qsort(w, 3, sizeof *w, by_text); printf("%s %s %s\n", w[0], w[1], w[2]);
    int k = 7, no = 3; int *f = bsearch(&k, v, 7, sizeof *v, by_int);
    printf("%d %d\n", (int)(f - v), bsearch(&no, v, 7, sizeof *v, by_int) == NULL);
    qsort(v, 0, sizeof *v, by_int); qsort(v, 1, sizeof *v, by_int);
    return 0;
}
