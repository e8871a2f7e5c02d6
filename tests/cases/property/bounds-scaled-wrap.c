// The index times the element size wraps around to a place inside the array.
// args: run --checks bounds --arch 32
// expect: exit 1
// verdict: FALSE(valid-deref)
int g[4];
int main(void) {
    volatile unsigned zero = 0;
    unsigned i = 0x40000000u + zero;
    g[i] = 1;
    return 0;
}
