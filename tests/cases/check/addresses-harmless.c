// args: check --timeout 20
// arch: 32 64
// expect: last TRUE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int key;
    struct node *next;
};

static struct node *list;
static int (*chosen)(int);
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

static void push(int key)
{
    struct node *node = calloc(1, sizeof *node);
    node->key = key;
    node->next = list;
    list = node;
}

/* Everything that is asked of pointers here has one answer. */
int main(void)
{
    int values[8] = { 0 }, sum = 0;
    char text[] = "a,b,c";
    for (int *p = values; p < values + 8; p++)
        *p = (int)(p - values);
    for (int i = 0; i < 8; i++)
        push(values[i]);
    for (struct node *node = list; node != NULL; node = node->next)
        if (node == list || node->next != list)
            sum += node->key;
    chosen = twice;
    if (chosen == twice && chosen != thrice)
        sum = chosen(sum);
    assert(strchr(text, 'b') - text == 2 && strlen(text) == 5 && strcmp(text, "a,b,c") == 0);
    assert(sum == 56);
    return 0;
}
