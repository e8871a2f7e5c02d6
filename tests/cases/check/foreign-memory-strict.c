// With --strict nothing is said of what a pointer from outside leads to.
// args: check --engine bmc --missing nothing --strict
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout for example through a pointer that comes from outside
extern void reach_error(void);
extern void *lookup(int);
struct device { int state, count; };

int main(void)
{
    struct device *d = lookup(1);
    if (!d)
        return 0;
    d->state = 1;
    if (d->state != 1)
        reach_error();
    return 0;
}
