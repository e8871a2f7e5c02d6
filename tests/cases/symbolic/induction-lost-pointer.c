// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// In an iteration of which nothing is known the pointer is a number: that is no reason to leave the turn out.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
union Both { int *p; unsigned long n; } both;
union Both *volatile at = &both;
int x;
int main(void)
{
    unsigned n = 0;
    union Both *q = at;
    q->p = &x;
    while (__VERIFIER_nondet_int()) {
        *q->p = n;
        q->n = (unsigned long)&x;
        n++;
        if (n == 50)
            reach_error();
    }
    return 0;
}
