// args: check --engine magic
// expect: exit 3
// expect: stderr simulate
int main(void) { return 0; }
