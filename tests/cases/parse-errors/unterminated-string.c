// expect: exit 3
// expect: stderr unterminated-string.c:3:
char *s = "abc;
int main(void) { return 0; }
