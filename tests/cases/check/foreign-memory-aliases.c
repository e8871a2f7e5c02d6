// Two pointers from outside may be the same.
// args: check --engine bmc --missing nothing
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern void *lookup(int);
struct device { int state, count; };

int main(void)
{
    struct device *d = lookup(1), *e = lookup(2);
    if (!d || !e)
        return 0;
    d->state = 1;
    e->state = 2;
    if (d->state != 1)
        reach_error();
    return 0;
}
