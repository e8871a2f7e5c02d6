// expect: exit 3
// expect: stderr omplex
// expect: stderr complex.c:4:
_Complex double z;
int main(void) { return 0; }
