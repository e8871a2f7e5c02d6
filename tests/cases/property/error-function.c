// args: run --error-function panic
// expect: exit 1
// verdict: FALSE(unreach-call)
// expect: stdout violated: error-call
static void panic(const char *s) { for (;;) ; }
int main(void) { panic("x"); return 0; }
