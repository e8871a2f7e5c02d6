// expect: exit 1
// verdict: FALSE(unreach-call)
// expect: stdout violated: assertion
extern void __VERIFIER_assert(int);
int main(void) { __VERIFIER_assert(0); return 0; }
