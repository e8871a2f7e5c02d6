// args: run --property memsafety.prp
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
#include <stdlib.h>
int main(void) { int *a = malloc(12); for (int i = 0; i < 4; i++) a[i] = i; free(a); return 0; }
