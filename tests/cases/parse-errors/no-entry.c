// args: run --entry nobody
// expect: exit 3
// expect: stderr nobody
int main(void) { return 0; }
