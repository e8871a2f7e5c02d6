// The address of an object that was stored in memory from outside is read there again, also as a number and by a copy.
// args: check --engine bmc --missing nothing
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);
extern void *lookup(int);
extern void *memcpy(void *, const void *, unsigned long);
struct device { int state, count; int *priv; unsigned long word; };
int own, other;

int main(void)
{
    struct device *d = lookup(1), copy;
    if (!d)
        return 0;
    d->priv = &own;
    *d->priv = 7;
    if (own != 7)
        reach_error();
    d->word = (unsigned long)&other;
    if (d->word != (unsigned long)&other)
        reach_error();
    copy = *d;
    if (copy.priv != &own)
        reach_error();
    return 0;
}
