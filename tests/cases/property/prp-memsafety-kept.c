// args: run --property memsafety.prp
// expect: last exited with status 0
#include <stdlib.h>
int main(void) { int *a = malloc(12); for (int i = 0; i < 3; i++) a[i] = i; free(a); return 0; }
