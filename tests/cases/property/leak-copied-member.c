// args: run --checks leak
// expect: exit 0
// expect: last exited with status 2
#include <stdlib.h>

struct pair { char *p; int n; };
static struct pair kept;

static void keep(struct pair given)
{
    kept = given;
}

int main(void)
{
    struct pair a;
    a.p = malloc(4);
    a.n = 2;
    keep(a);
    return kept.n;
}
