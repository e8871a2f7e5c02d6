// args: run --steps 1000
// expect: exit 2
// expect: last step limit of 1000 reached
int main(void) { for (;;) ; }
