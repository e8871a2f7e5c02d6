// args: run --checks bounds,nonsense
// expect: exit 3
// expect: stderr nonsense
int main(void) { return 0; }
