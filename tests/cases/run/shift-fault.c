// expect: exit 2
// expect: stdout shift count
int width = 32;
int main(void) { return 1 << width; }
