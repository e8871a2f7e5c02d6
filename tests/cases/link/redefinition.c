// files: redefinition.part
// expect: exit 3
// expect: stderr redefinition of 'g'
int g = 1;
int main(void) { return g; }
