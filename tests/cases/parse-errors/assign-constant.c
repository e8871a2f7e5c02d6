// expect: exit 3
// expect: stderr assign-constant.c:3:
int main(void) { 5 = 6; const int x = 1; x = 2; return 0; }
