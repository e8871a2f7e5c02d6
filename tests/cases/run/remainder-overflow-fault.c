// arch: 32 64 avr
// expect: exit 2
// expect: stdout division of the smallest signed integer by -1
#include <limits.h>
long long a = LLONG_MIN;
signed char b = -1;
int main(void) { return (int)(a % b); }
