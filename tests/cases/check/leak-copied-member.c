// Members that are copied with their structure and never used by name hold what they point to.
// args: check --engine bmc --checks leak
// expect: exit 0
// expect: last TRUE
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
