// gcc: yes
// arch: 32 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct list { int v; struct list *next; };
int main(void)
{
    int *a = malloc(10 * sizeof *a);
    for (int i = 0; i < 10; i++) a[i] = i;
    a = realloc(a, 20 * sizeof *a);
    for (int i = 10; i < 20; i++) a[i] = a[i - 10] * 2;
    int s = 0; for (int i = 0; i < 20; i++) s += a[i];
    a = realloc(a, 4 * sizeof *a);
    printf("%d %d\n", s, a[3]);
    free(a);
    unsigned char *z = calloc(7, 3); int any = 0; for (int i = 0; i < 21; i++) any |= z[i];
    printf("%d %d\n", any, calloc((size_t)-1 / 2, 4) == NULL);
    free(z); free(NULL);
    struct list *head = NULL;
    for (int i = 0; i < 5; i++) { struct list *n = malloc(sizeof *n); n->v = i; n->next = head; head = n; }
    while (head) { struct list *n = head->next; printf("%d ", head->v); free(head); head = n; }
    char *d = strdup("copy"), *e = strndup("partial", 4); printf("%s %s\n", d, e); free(d); free(e);
    char *al = __builtin_alloca(5); strcpy(al, "abcd"); printf("%s\n", al);
    void *p; printf("%d\n", posix_memalign(&p, 16, 8)); free(p);
    int *r = realloc(NULL, sizeof *r); *r = 5; printf("%d\n", *r); free(r);
    return 0;
}
