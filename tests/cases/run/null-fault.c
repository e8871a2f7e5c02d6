// expect: exit 2
// expect: stdout null-fault.c:4:
int *p;
int main(void) { return *p; }
