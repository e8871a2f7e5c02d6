// args: check
// arch: avr
// expect: exit 3
// expect: stderr pointers to `__memx` have 24 bits, which is not supported
int first(const __memx int *p) { return *p; }
int main(void) { return 0; }
