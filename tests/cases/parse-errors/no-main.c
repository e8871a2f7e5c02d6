// expect: exit 3
// expect: stderr main
// expect: stderr help:
int f(void) { return 0; }
