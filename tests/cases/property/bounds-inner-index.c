// A subscript that leaves its row stays inside the object, and is wrong all the same.
// args: run --checks bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout an array of 5 elements
int main(void) {
    static int a[3][5];
    volatile int zero = 0;
    a[1][5 + zero] = 1;
    return 0;
}
