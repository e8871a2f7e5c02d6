// args: check --engine symex --strict
// expect: exit 2
// expect: stdout a run may do something that is not modelled at ub-outside-write.c:15
// expect: last UNKNOWN
#include <assert.h>
int *allocate(void);

int seen = 1;
int *look = &seen;

/* A pointer from outside points to something, and the run goes on: the model does not know what it changes. */
int main(void)
{
    int *place = allocate();
    *place = 2;
    assert(*look == 1);
    return 0;
}
