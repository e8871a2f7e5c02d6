// expect: exit 3
// expect: stderr syntax-several.c:5:
// expect: stderr syntax-several.c:6:
// expect: stderr help:
int f(void) { return 1 +; }
int g(void) { int x = ; return x }
int main(void) { return 0; }
