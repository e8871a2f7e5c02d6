// args: check --engine kind --timeout 5 --checks pointer
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
// A local that has been left may be what is pointed to.
extern int __VERIFIER_nondet_int(void);
static int v; static int *get(int k){ static int *c; int l=k; int *p=&l; if(k==7) { c=p; } if(!c) c=&v; return c; }
int main(void){ while(__VERIFIER_nondet_int()){ int *p=get(__VERIFIER_nondet_int()); if(__VERIFIER_nondet_int()) *p=2; } return 0; }
