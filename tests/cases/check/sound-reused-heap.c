// args: check --engine auto --timeout 5
// expect: exit 2
// expect: stdout depends on the addresses of objects
// expect: last UNKNOWN
// Blocks that do not live at once may have one address.
#include <assert.h>
#include <stdlib.h>
#include <stdint.h>
int main(void){ void*p=malloc(8); uintptr_t a=(uintptr_t)p; free(p);
  void*q=malloc(8); uintptr_t b=(uintptr_t)q; assert(a!=b); return 0;}
