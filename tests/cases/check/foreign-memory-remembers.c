// Memory from outside gives back what was written to it: members, bit-fields and floats, also where it was filled.
// args: check --engine bmc --missing nothing
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);
extern void *lookup(int);
extern void *memset(void *, int, unsigned long);
struct device { int state, count; unsigned low : 3, high : 7; float ratio; struct device *next; };

int main(void)
{
    struct device *d = lookup(1);
    int count = d->count;
    d->state = 5;
    d->high = 9;
    d->low = 2;
    d->ratio = 0.5f;
    if (d->state != 5 || d->count != count || d->high != 9 || d->low != 2 || d->ratio != 0.5f)
        reach_error();
    memset(d, 0, sizeof *d);
    if (d->next || d->state)
        reach_error();
    return 0;
}
