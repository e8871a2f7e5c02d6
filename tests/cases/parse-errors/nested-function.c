// expect: exit 3
// expect: stderr nested-function.c:3:
int main(void) { int inner(int x) { return x; } return inner(0); }
