// Objects lie behind pointers in objects, down to a depth, and none of them is another one.
// args: check --entry sum --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: stdout assumed: pointers deeper in what is given to the entry function are null: n->next->next->next
#include <assert.h>
struct node { unsigned char value; struct node *next; };
int sum(struct node *n)
{
    int total = 0, count = 0;
    struct node *first = n;
    for (; n; n = n->next) {
        assert(count == 0 || n != first);
        total += n->value;
        count++;
    }
    assert(total <= 3 * 255);
    assert(count != 3 || total != 500);
    return total;
}
