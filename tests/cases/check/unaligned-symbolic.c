// args: check --engine bmc --arch 32
// expect: exit 0
// expect: last TRUE
// Bytes at an offset that nobody knows, in an array of wider elements: what is written is read again, and what lies around it stays.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
unsigned words[64];
int main(void)
{
    unsigned char *bytes = (unsigned char *)words;
    unsigned i = __VERIFIER_nondet_uint() % 60, k = __VERIFIER_nondet_uint() % 250;
    words[i] = 0x11223344;
    if (k <= 4 * i + 3 && 4 * i < k + 4)
        return 0;
    *(unsigned short *)(bytes + k) = 0xaabb;
    *(unsigned *)(bytes + k) = *(unsigned *)(bytes + k) + 0x01000000;
    if (words[i] != 0x11223344 || bytes[k] != 0xbb || bytes[k + 1] != 0xaa || bytes[k + 3] != 1 || bytes[k + 4] == 1)
        reach_error();
    return 0;
}
