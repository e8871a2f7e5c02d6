// args: show ast
// expect: stdout function main : int(void)
// expect: stdout cast implicit IntToInt : int
int main(void) { char c = 3; return c + 1; }
