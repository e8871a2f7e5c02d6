// args: run --checks pointer,bounds
// expect: last exited with status 0
// The list's head is inside no item: the pointer to "its item" is never dereferenced outside of the head.
#include <stddef.h>
struct list { struct list *next; };
struct item { int a, b, c; struct list link; };
static struct list head = { &head };
#define item_of(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))
int main(void)
{
    int n = 0;
    for (struct item *i = item_of(head.next); &i->link != &head; i = item_of(i->link.next)) n++;
    struct item *last = item_of(&head);
    return last->link.next != &head || n;
}
