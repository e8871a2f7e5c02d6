// args: run --checks bounds,overflow,div-by-zero
// expect: exit 1
// verdict: FALSE(div-by-zero)
// expect: stdout violated: div-by-zero
int a[3];
int main(void) { int i = 2; a[i] = 5; return a[i] / a[0]; }
