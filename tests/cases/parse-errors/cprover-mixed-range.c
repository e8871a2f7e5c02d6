// args: check
// expect: exit 3
// expect: stderr the range of 'i' is not constant
/* -1 is the largest unsigned number: the comparison bounds nothing. */
int f(int *a) { return __CPROVER_forall { unsigned i; (i <= -1) ==> a[i] == 0 }; }
int main(void) { return 0; }
