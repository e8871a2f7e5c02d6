// args: run --property named.prp
// expect: exit 1
// verdict: FALSE(unreach-call)
// expect: stdout violated: error-call
void my_error(void);
int start(void) { my_error(); return 0; }
