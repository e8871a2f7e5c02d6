// expect: exit 2
// expect: stdout assumption
extern void __VERIFIER_assume(int);
int main(void) { int x = 3; __VERIFIER_assume(x > 3); return 0; }
