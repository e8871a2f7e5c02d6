// args: check --checks bonds
// expect: exit 3
// expect: stderr there is no check named `bonds`
// expect: stderr plumb check --help
int main(void) { return 0; }
