// What a pointer from outside leads to holds anything, and writing there changes no object of the program.
// args: check --engine bmc --missing nothing
// expect: exit 0
// expect: stdout assumed: pointers from outside that are dereferenced lead to memory of arbitrary content that is no object or function of the program
// expect: last TRUE
extern void reach_error(void);
extern void *lookup(int);
struct device { int state, count; struct device *next; };
int opened;

int main(void)
{
    struct device *d = lookup(1);
    if (!d)
        return 0;
    d->state = 5;
    if (d->next)
        d->next->count = 3;
    if (opened)
        reach_error();
    opened = d->count;
    if (opened > 3)
        opened = 3;
    if (opened > 3)
        reach_error();
    return 0;
}
