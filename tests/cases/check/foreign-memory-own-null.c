// Nothing is supposed of a pointer that the program itself has set to null.
// args: check --engine bmc --missing nothing
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout dereferences a null pointer
extern void reach_error(void);
extern void *lookup(int);
extern int is_ready(void);
struct device { int state, count; };
struct device *cache;

int main(void)
{
    struct device *d = lookup(1);
    if (is_ready())
        cache = d;
    cache->state = 1;
    if (cache->state != 1)
        reach_error();
    return 0;
}
