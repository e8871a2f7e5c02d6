// A function behind a pointer from outside is a missing one: it returns anything and changes nothing.
// args: check --engine bmc --missing nothing
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);
extern void *lookup(int);
struct operations { int (*open)(int); void (*close)(void); };
int opened;
static int own_open(int n) { return n & 1; }

int main(void)
{
    struct operations *o = lookup(1);
    struct operations own = { own_open, 0 };
    if (!o)
        return 0;
    opened = 3;
    o->open(1);
    o->close();
    if (opened != 3)
        reach_error();
    opened = own.open(5);
    if (opened != 1)
        reach_error();
    return 0;
}
