// args: check --engine kind --missing havoc
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// A word of memory that holds an address as a number is still a pointer in the next iteration.
extern void touch(unsigned long *p);
extern int nondet(void);
int x;
struct { int n; unsigned long where; } s;
int main(void) {
    while (nondet()) {
        touch(&s.where);
        __CPROVER_assert(x == 0, "x");
        s.where = (unsigned long)&x;
    }
    return 0;
}
