// args: run --json --seed 4
// expect: stdout "outcome":"exited"
// expect: stdout "stdout":"hi\n"
int puts(const char *);
int main(void) { puts("hi"); return 3; }
