// args: infer -F store
// expect: stdout store, entry (300 samples):
// expect: stdout store, exit (300 samples):
// expect: stdout     p != 0 ==> value == p->value
// expect: stdout     p != 0 ==> \old(p->count) + 1 == p->count
// expect: stdout     p == 0 ==> \result == -1
// expect: stdout     p != 0 ==> \result == 0
// What a pointer points to is sampled where it points to something.
extern int __VERIFIER_nondet_int(void);
struct slot { int value; int count; };
static int store(struct slot *p, int value)
{
    if (!p)
        return -1;
    p->value = value;
    p->count++;
    return 0;
}
int main(void)
{
    struct slot slot = { 0, __VERIFIER_nondet_int() & 0xffff };
    return store(__VERIFIER_nondet_int() & 1 ? &slot : 0, __VERIFIER_nondet_int());
}
