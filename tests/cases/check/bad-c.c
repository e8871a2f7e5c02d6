// args: check
// expect: exit 3
// expect: stderr error
// expect: no-stdout UNKNOWN
int main(void) { return 0 }
