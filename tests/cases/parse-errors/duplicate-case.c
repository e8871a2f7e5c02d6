// expect: exit 3
// expect: stderr duplicate-case.c:3:
int main(void) { switch (1) { case 1: case 1: return 0; } return 1; }
