// expect: exit 3
// expect: stderr array-size.c:3:
int a[-1];
int main(void) { return 0; }
