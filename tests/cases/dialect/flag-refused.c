// args: check -ffast-math
// expect: exit 3
// expect: stderr the flag `-ffast-math` is not supported
int main(void) { return 0; }
