// args: run --steps 1000000000000 --timeout 0.5
// expect: exit 2
// expect: last timeout
int x;
int main(void) { for (;;) x++; }
