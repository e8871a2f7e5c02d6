// args: run --property bad.prp
// expect: exit 3
// expect: stderr bad.prp
int main(void) { return 0; }
