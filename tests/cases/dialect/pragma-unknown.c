// args: check
// expect: exit 3
// expect: stderr `#pragma vector` is not known
#pragma vector = 0x14
int main(void) { return 0; }
