// args: check --arch avr -fstack-protector
// expect: exit 3
// expect: stderr `-fstack-protector` is not supported for this machine: which macros it defines is not known
int main(void) { return 0; }
