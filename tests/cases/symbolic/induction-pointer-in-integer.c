// args: check --engine kind --missing havoc
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// An integer that holds an address is still a pointer to the object in the next iteration.
extern void touch(int *p);
extern int nondet(void);
int x;
int main(void) {
    unsigned long where = 0;
    while (nondet()) {
        touch((int *)where);
        __CPROVER_assert(x == 0, "x");
        where = (unsigned long)&x;
    }
    return 0;
}
