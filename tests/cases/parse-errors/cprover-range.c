// args: check
// expect: exit 3
// expect: stderr the range of 'i' is not constant
int f(int n, int *a) { return __CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 }; }
int main(void) { return 0; }
