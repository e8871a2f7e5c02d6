// expect: exit 1
// verdict: FALSE(unreach-call)
// expect: stdout violated: assertion
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_assume(_Bool);
int main(void) { int x = 5; __CPROVER_assume(x > 0); __CPROVER_assert(x > 5, "x is large"); return 0; }
