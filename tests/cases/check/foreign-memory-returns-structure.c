// A function from outside that returns a structure is not modelled.
// args: check --engine bmc --missing nothing
// expect: exit 2
// expect: last UNKNOWN
// expect: stdout a run may do something that is not modelled
extern void reach_error(void);
struct pair { int a, b; };
extern void *lookup(void);

int main(void)
{
    struct pair (*f)(void) = lookup();
    f();
    reach_error();
    return 0;
}
