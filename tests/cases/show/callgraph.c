// args: show callgraph
// expect: stdout main -> f
// expect: stdout f -> g
static int g(void) { return 1; }
static int f(void) { return g(); }
int main(void) { return f(); }
