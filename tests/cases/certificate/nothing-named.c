// args: validate
// expect: exit 3
// expect: stderr --witness
int main(void) { return 0; }
