// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// Two ways lead to the head of a loop. An iteration changes what only one of them has set differently.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int x, c = __VERIFIER_nondet_int();
    if (c) {
        x = 2;
        goto head;
    }
    x = 1;
head:
    if (c && x == 1)
        reach_error();
    x = 1;
    if (__VERIFIER_nondet_int())
        goto head;
    return 0;
}
