// expect: exit 3
// expect: stderr break-outside.c:3:
int main(void) { break; return 0; }
