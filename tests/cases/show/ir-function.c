// args: show ir -F helper
// expect: stdout helper
// expect: no-stdout main
static int helper(int x) { return x; }
int main(void) { return helper(1); }
