// args: check --engine div --certificate {tmp}/c.json --witness {tmp}/w.yml
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed: the contract of `next` holds
// expect: no-file w.yml count
// What is told of a loop names no static variable of a function that has its contract for a body.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int next(void)
{
    static int count = 0;
    if (count < 10)
        count = count + 1;
    return count;
}

int main(void)
{
    int last = 0;
    while (__VERIFIER_nondet_int()) {
        int value = next();
        if (value < last || value > 10)
            reach_error();
        last = value;
    }
    return 0;
}
