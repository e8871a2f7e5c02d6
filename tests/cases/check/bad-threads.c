// args: check --threads 0
// expect: exit 3
// expect: stderr --threads
int main(void) { return 0; }
