// args: check --checks overflow --error-function nope
// expect: exit 3
// expect: stderr the program has no function `nope`
int main(void) { return 0; }
