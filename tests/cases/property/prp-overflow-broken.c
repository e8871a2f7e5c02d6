// args: run --property overflow.prp
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow
int main(void) { int x = 1; while (x > 0) x *= 3; return 0; }
