// expect: exit 3
// expect: stderr too small
_Static_assert(sizeof(int) == 8, "int is too small");
int main(void) { return 0; }
