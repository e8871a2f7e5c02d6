// C23 has numbers in base 2, which only its own functions know.
// args: run
// expect: exit 0
// expect: stdout 5 0 -3 0 0 6 0
#include <stdio.h>
#include <stdlib.h>
int __isoc23_sscanf(const char *, const char *, ...);
long __isoc23_strtol(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
int main(void)
{
    int new = 0, old = 9;
    char *end, *none;
    long five = __isoc23_strtol("0b101", &end, 0);
    long nothing = __isoc23_strtol("0b2", &none, 2);
    if (*end != 0 || *none != 'b')
        return 1;
    __isoc23_sscanf("0B110", "%i", &new);
    sscanf("0b110", "%i", &old);
    printf("%ld %ld %ld %ld %d %d %d\n", five, strtol("0b101", 0, 0), __isoc23_strtol(" -0B11", 0, 2), nothing,
           __isoc23_strtoull("0b1", 0, 10) != 0, new, old);
    return 0;
}
