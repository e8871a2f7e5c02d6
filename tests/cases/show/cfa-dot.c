// args: show cfa --dot -F main
// expect: stdout digraph
int main(void) { return 0; }
