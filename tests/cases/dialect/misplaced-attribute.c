// An attribute with a meaning, at a place where nothing looks for it.
// args: check
// expect: exit 3
// expect: stderr the attribute 'aligned' is not supported at this place
int *__attribute__((aligned(16))) p;
int main(void) { return p != 0; }
