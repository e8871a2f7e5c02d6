// args: check --engine kind --missing havoc
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// What an iteration stores in an array of pointers can be reached through it in the next.
extern void touch(int **p);
extern int nondet(void);
int x;
int *ptrs[200];
int main(void) {
    while (nondet()) {
        unsigned k = nondet();
        touch(ptrs);
        __CPROVER_assert(x == 0, "x");
        if (k < 200)
            ptrs[k] = &x;
    }
    return 0;
}
