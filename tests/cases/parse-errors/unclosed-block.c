// expect: exit 3
// expect: stderr unclosed-block.c:
int main(void) { if (1) { return 0;
