// Pointers in unions are refused, with a property file too: the function that nobody calls is not without errors.
// args: check --entry f --property reach.prp --engine bmc
// expect: exit 2
// expect: stdout an entry function with pointers in a union or long array
extern void reach_error(void);
union any { int *p; long n; };
void f(union any *u) { reach_error(); }
int main(void) { return 0; }
