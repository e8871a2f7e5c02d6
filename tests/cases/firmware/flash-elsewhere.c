// args: check
// expect: exit 3
// expect: stderr `__flash` and `__memx` are address spaces of AVR
static const __flash int table[3] = { 1, 2, 3 };
int main(void) { return table[0]; }
