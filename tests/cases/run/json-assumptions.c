// args: run --json
// expect: stdout "kind":"external-effects","name":"unknown"
// expect: no-stdout atexit
#include <stdlib.h>
extern void unknown(void);
int main(void) { unknown(); return 0; }
