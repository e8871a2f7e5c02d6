// args: show callgraph --dot
// expect: stdout digraph
static int g(void) { return 1; }
int main(void) { int (*p)(void) = g; return p(); }
