// args: check --engine symexia --timeout 30
// expect: exit 1
// expect: last FALSE(unreach-call)
// One of a million paths of an iteration breaks the check: they become one, and a model says which it is.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int armed = 0;
    while (__VERIFIER_nondet_int()) {
        unsigned code = 0;
        if (__VERIFIER_nondet_int() > 0)
            code += 1u;
        if (__VERIFIER_nondet_int() > 1)
            code += 2u;
        if (__VERIFIER_nondet_int() > 2)
            code += 4u;
        if (__VERIFIER_nondet_int() > 3)
            code += 8u;
        if (__VERIFIER_nondet_int() > 4)
            code += 16u;
        if (__VERIFIER_nondet_int() > 0)
            code += 32u;
        if (__VERIFIER_nondet_int() > 1)
            code += 64u;
        if (__VERIFIER_nondet_int() > 2)
            code += 128u;
        if (__VERIFIER_nondet_int() > 3)
            code += 256u;
        if (__VERIFIER_nondet_int() > 4)
            code += 512u;
        if (__VERIFIER_nondet_int() > 0)
            code += 1024u;
        if (__VERIFIER_nondet_int() > 1)
            code += 2048u;
        if (__VERIFIER_nondet_int() > 2)
            code += 4096u;
        if (__VERIFIER_nondet_int() > 3)
            code += 8192u;
        if (__VERIFIER_nondet_int() > 4)
            code += 16384u;
        if (__VERIFIER_nondet_int() > 0)
            code += 32768u;
        if (__VERIFIER_nondet_int() > 1)
            code += 65536u;
        if (__VERIFIER_nondet_int() > 2)
            code += 131072u;
        if (__VERIFIER_nondet_int() > 3)
            code += 262144u;
        if (__VERIFIER_nondet_int() > 4)
            code += 524288u;
        if (armed && code == 0x5a3c9u)
            reach_error();
        armed = code == 0xa5c36u;
    }
    return 0;
}
