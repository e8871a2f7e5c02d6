// args: run
// expect: stdout 5 abcde
// expect: stdout 6 abc
// expect: stdout 3 xyz
#include <stdio.h>
#include <string.h>
size_t strlcat(char *to, const char *from, size_t size);

int main(void)
{
    char room[8] = "abc", little[4] = "ab", full[3] = { 'x', 'y', 'z' };
    size_t n = strlcat(room, "de", sizeof room);
    printf("%d %s\n", (int)n, room);
    n = strlcat(little, "cdef", sizeof little);
    printf("%d %s\n", (int)n, little);
    n = strlcat(full, "", sizeof full);
    printf("%d %.3s\n", (int)n, full);
    return 0;
}
