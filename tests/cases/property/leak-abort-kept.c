// args: run --checks leak
// expect: exit 0
// expect: last aborted

/* What the active functions still point to is not lost. */
#include <stdlib.h>

struct node { struct node *next; };

static void stop(struct node **list, int depth)
{
    char *mine = malloc(1);
    struct node *n = malloc(sizeof *n);
    n->next = *list;
    *list = n;
    if (depth == 0)
        abort();
    stop(list, depth - 1);
    free(mine);
}

int main(void)
{
    struct node *list = 0;
    stop(&list, 3);
    return 0;
}
