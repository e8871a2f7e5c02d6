// A missing function that may change what it is handed may change all memory from outside, but no object that it does not reach.
// args: check --engine bmc --missing havoc
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern void *lookup(int);
extern void touch(void);
struct device { int state, count; };

int main(void)
{
    struct device *d = lookup(1);
    if (!d)
        return 0;
    d->state = 1;
    touch();
    if (d->state != 1)
        reach_error();
    return 0;
}
