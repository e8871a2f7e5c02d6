// The address of an object that was stored in memory from outside is read there again.
// args: check --engine bmc --missing nothing
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);
extern void *lookup(int);
struct device { int state, count; int *priv; };
int own;

int main(void)
{
    struct device *d = lookup(1);
    if (!d)
        return 0;
    d->priv = &own;
    *d->priv = 7;
    if (own != 7)
        reach_error();
    return 0;
}
