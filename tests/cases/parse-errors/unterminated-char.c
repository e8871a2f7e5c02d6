// expect: exit 3
// expect: stderr unterminated-char.c:3:
int c = 'a;
int main(void) { return 0; }
