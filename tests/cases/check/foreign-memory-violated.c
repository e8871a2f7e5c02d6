// The address that was stored is read back.
// args: check --engine simulate --missing nothing
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern void *lookup(int);
struct device { int state, count; int *priv; };
int own;

int main(void)
{
    struct device *d = lookup(1);
    d->priv = &own;
    *d->priv = 7;
    if (own == 7)
        reach_error();
    return 0;
}
