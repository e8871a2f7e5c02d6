// args: check --engine bmc --timeout 20
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void)
{
    struct node *list = NULL;
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int() & 15;
        node->next = list;
        list = node;
    }
    for (struct node *node = list; node != NULL; node = node->next)
        sum += node->value;
    assert(sum <= 75);
    assert(sum != 75);
    return 0;
}
