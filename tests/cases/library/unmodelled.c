// expect: exit 2
// expect: stdout not supported: getline is not modelled
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *line = NULL; size_t size = 0; return getline(&line, &size, stdin) > 0 && line[0] == 'x'; }
