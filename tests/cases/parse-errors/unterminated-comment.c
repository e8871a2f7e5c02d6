// expect: exit 3
// expect: stderr unterminated-comment.c
int main(void) { return 0; }
/* never closed
