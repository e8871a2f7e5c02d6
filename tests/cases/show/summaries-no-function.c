// args: show summaries -F absent
// expect: exit 3
// expect: stderr the program has no function `absent`
int main(void) { return 0; }
