// gcc: yes -fno-builtin
#include <stdio.h>
#include <stddef.h>
int abs(int x) { return x + 1000; }
size_t strlen(const char *s) { return 77; }
int main(void) { printf("%d %d\n", abs(-1), (int)strlen("abc")); return 0; }
