// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `second.value == 2` does not hold
#include <assert.h>
struct node {
    struct node *next;
    const char *name;
    int value;
};
void visit(struct node *list);

static struct node second = {0, "second", 2}, first = {&second, "first", 1};

int main(void)
{
    const char *text = "first";
    int alone = 3;
    visit(&first);
    assert(text[0] == 'f' && alone == 3);
    assert(second.value == 2);
    return 0;
}
