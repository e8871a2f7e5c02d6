// A name that nobody here knows may mean something to another compiler.
// args: check
// expect: exit 3
// expect: stderr the attribute 'at_address' is not known
// expect: stderr -Dat_address=unused
int port __attribute__((at_address(0x40)));
int main(void) { return port; }
