// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// Bytes copied from an array of larger elements, at an offset that is no multiple of their size.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
int big[200];
int main(void)
{
    unsigned char i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar();
    char out[4];
    if (i >= 190)
        return 0;
    big[i] = 0x01020304;
    memcpy(out, (char *)big + j, 4);
    if (out[0] == 2)
        reach_error();
    return 0;
}
