// It may point to an object, with any content; the harness makes the object.
// args: check --entry f --checks bounds,pointer --engine bmc --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(valid-deref)
// expect: stdout argument p of f = the address of an object
// expect: file h.c f(plumb_object_0, 
struct pair { short low, high; };
int f(const struct pair *p, int n)
{
    if (!p || p->low != 12 || p->high != -3)
        return 0;
    return p[n].high;
}
