// args: show ir --json
// expect: stdout "functions":
int main(void) { return 0; }
