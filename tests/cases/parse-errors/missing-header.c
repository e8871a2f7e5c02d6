// expect: exit 3
// expect: stderr no_such_header.h
// expect: stderr help:
#include "no_such_header.h"
int main(void) { return 0; }
