// args: check --strict --engine symexia --timeout 20
// expect: exit 2
// expect: stdout some runs may end by undefined behaviour at faults-where.c:13
// expect: last UNKNOWN
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int table[4] = { 1, 2, 3, 4 };
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        sum = table[__VERIFIER_nondet_int() & 7];
        if (sum < 0)
            reach_error();
    }
    return 0;
}
