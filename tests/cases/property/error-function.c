// args: run --error-function panic
// expect: exit 1
// expect: stdout violated: error-call
static void panic(const char *s) { for (;;) ; }
int main(void) { panic("x"); return 0; }
