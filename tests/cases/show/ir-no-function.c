// args: show ir -F nobody
// expect: exit 3
// expect: stderr nobody
int main(void) { return 0; }
