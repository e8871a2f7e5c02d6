// args: run --checks bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
struct pair { int a[4]; int b; };
int main(void) {
    struct pair s = { { 0 }, 7 };
    volatile int four = 4;
    s.a[four] = 1;
    return s.b;
}
