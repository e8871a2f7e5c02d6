// args: infer
// expect: stdout main, loop at
// expect: stdout     x == 3 * i + 5
// expect: stdout     i <= n
// expect: stdout     (hash + 7 * step) % 4294967296 == next
// expect: no-stdout unused
// Equations over the integers, orders, and equations that hold modulo the width only.
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    int n = __VERIFIER_nondet_uint() % 40;
    int x = 5;
    for (int i = 0; i < n; i++)
        x += 3;
    for (int round = 0; round < 20; round++) {
        unsigned hash = __VERIFIER_nondet_uint();
        unsigned step = __VERIFIER_nondet_uint();
        unsigned next = hash + 7 * step;
        while (next != hash + 7 * step)
            next++;
        x += next & 1;
    }
    return x;
}
