// A member behind a null pointer is not a device register.
// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
struct s { int a, b; };
int main(void) {
    return ((struct s *)0)->b;
}
