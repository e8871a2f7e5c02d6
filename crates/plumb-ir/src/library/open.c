/* Values that C leaves open beyond their sign or whether they are zero. `likely` is what glibc returns: the concrete machine
 * takes it (plumb-exec's settle.rs), others any value that C allows. */

static int __plumb_open_sign(int likely)
{
    int any;
    if (likely == 0)
        return 0;
    any = __plumb_nondet_int();
    __plumb_assume(any != 0 && (any < 0) == (likely < 0));
    return any;
}

static int __plumb_open_truth(int likely)
{
    int any;
    if (likely == 0)
        return 0;
    any = __plumb_nondet_int();
    __plumb_assume(any != 0);
    return any;
}
