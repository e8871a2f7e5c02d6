// expect: exit 3
// expect: stderr a range of more than
char text[1u << 30] = { [2 ... 0x3fffffff] = 'y' };
int main(void) { return 0; }
