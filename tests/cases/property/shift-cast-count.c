// A count that the user has cut to int is what counts.
// args: run --checks shift
// expect: exit 0
int main(void) {
    volatile long long c = (1LL << 32) + 1;
    return (1 << (int)c) - 2;
}
