// args: validate --strict --witness strict.yml
// expect: exit 2
// expect: last unknown: calls of `down` may overflow the stack, which a strict proof may not exclude by assumption
// How deep the calls go is the stack's business: a strict proof cannot leave that open.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

unsigned down(unsigned n)
{
    return n == 0 ? 7 : down(n - 1);
}

int main(void)
{
    if (down(__VERIFIER_nondet_uint()) != 7)
        reach_error();
    return 0;
}
