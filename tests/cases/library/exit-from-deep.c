// gcc: yes
#include <stdio.h>
#include <stdlib.h>
static void bye(void) { printf("bye\n"); }
static void deep(int n) { if (n == 0) exit(9); deep(n - 1); }
int main(void) { atexit(bye); deep(10); return 0; }
