// arch: 32 64 avr
// expect: exit 2
// expect: stdout division of the smallest signed integer by -1
// x86 traps here as it does for a division by zero; elsewhere C leaves it undefined all the same.
#include <limits.h>
int a = INT_MIN, b = -1;
int main(void) { return a / b; }
