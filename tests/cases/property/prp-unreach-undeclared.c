// args: run --property unreach.prp
// expect: exit 1
// verdict: FALSE(unreach-call)
// expect: stdout violated: error-call
extern void reach_error(void);
int main(void) { reach_error(); return 0; }
