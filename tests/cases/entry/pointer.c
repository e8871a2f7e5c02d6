// A pointer that the entry function is given may be null.
// args: check --entry f --checks all --engine bmc
// expect: exit 1
// expect: last FALSE(valid-deref)
// expect: stdout argument p of f = null
// expect: stdout assumed: pointers given to the entry function are null or point to one object of their type, which nothing else points to: p
int f(int *p, int n) { return p[n] + 1; }
