// expect: exit 0
// expect: last aborted
#include <stdlib.h>
int main(void) { abort(); }
