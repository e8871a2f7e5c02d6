// expect: exit 3
// expect: stderr arguments.c:4:
int f(int a, int b) { return a + b; }
int main(void) { return f(1) + f(1, 2, 3); }
