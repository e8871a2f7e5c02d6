// What only a nameless copy of a structure points to may be lost.
// args: check --engine symex --checks leak
// expect: exit 2
// expect: stdout the program ends while only
// expect: last UNKNOWN
#include <stdlib.h>
struct pair { char *p; int n; };
static struct pair make(void)
{
    struct pair made = { malloc(4), 1 };
    return made;
}
int main(void)
{
    struct pair a = make();
    a.p = 0;
    exit(1);
}
