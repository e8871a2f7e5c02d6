// args: run --inputs inputs-short.txt
// expect: exit 2
// expect: stdout no input left
extern int __VERIFIER_nondet_int(void);
int main(void) { return __VERIFIER_nondet_int() + __VERIFIER_nondet_int(); }
