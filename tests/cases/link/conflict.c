// files: conflict.part
// expect: exit 3
// expect: stderr conflicting types for 'f'
// expect: stderr conflict.part:1
int f(int);
int main(void) { return f(1); }
