// args: show ast --json
// expect: stdout "kind":"function"
int main(void) { return 0; }
