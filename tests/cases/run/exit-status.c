// expect: last exited with status 42
#include <stdlib.h>
int main(void) { exit(42); return 1; }
