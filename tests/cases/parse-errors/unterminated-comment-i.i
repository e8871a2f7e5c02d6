# 1 "x.c"
// expect: exit 3
// expect: stderr x.c:3:
int main(void) { return 0; } /* open
