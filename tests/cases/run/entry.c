// args: run --entry start
// expect: last exited with status 3
static int g = 3;
int start(void) { return g; }
