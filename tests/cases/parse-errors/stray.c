// expect: exit 3
// expect: stderr stray.c:3:
int main(void) { return 0; } @ `
