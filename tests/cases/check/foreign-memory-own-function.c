// A function pointer from outside that the program has compared with a function of its own may be that function.
// args: check --engine bmc --missing nothing
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout a run may do something that is not modelled
extern void reach_error(void);
struct operations { void (*open)(void); };
extern struct operations *lookup(void);
static void own_open(void) { reach_error(); }

int main(void)
{
    struct operations *o = lookup();
    if (o->open == own_open)
        o->open();
    return 0;
}
