// args: run --property named.prp
// expect: exit 1
// expect: stdout violated: error-call
void my_error(void);
int start(void) { my_error(); return 0; }
