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

/* What rand_r makes of a seed: two functions of it, of which POSIX says no more. */
static unsigned __plumb_open_next_seed(unsigned seed)
{
    (void)seed;
    return __plumb_nondet_uint();
}

static unsigned __plumb_open_rand_r(unsigned seed)
{
    unsigned any = __plumb_nondet_uint();
    (void)seed;
    __plumb_assume(any <= 0x7fffffff);
    return any;
}
