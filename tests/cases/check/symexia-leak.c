// args: check --engine symexia --checks all --timeout 30
// expect: exit 1
// expect: last FALSE(valid-deref)
// Where leaks are looked for loops are not abstracted, but violations are looked for all the same.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int table[4] = { 0 };
    int at = 0;
    while (__VERIFIER_nondet_int()) {
        table[at] = 1;
        at++;
    }
    return table[0];
}
