// args: validate
// expect: exit 3
// expect: stderr --certificate
int main(void) { return 0; }
