// expect: exit 2
// expect: stdout division by zero
int z;
int main(void) { return 5 / z; }
