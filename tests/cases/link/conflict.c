// The linker takes two types for one function; a call under the wrong one is not supported.
// files: conflict.part
// expect: exit 2
// expect: last not supported: a call whose declaration and definition disagree about the function's type at conflict.c:6:25
int f(int);
int main(void) { return f(1); }
