// args: check --engine symex --timeout 2
// expect: stdout no violation was found within the timeout
// expect: last UNKNOWN
// expect: exit 2
// Without abstraction there is no end to it.
#include "symexia-figure.c"
