// args: check --checks overflow --error-label nope
// expect: exit 3
// expect: stderr the program has no label `nope`
int main(void) { return 0; }
