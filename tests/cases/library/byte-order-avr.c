// args: check --arch avr --engine bmc
// expect: last TRUE
unsigned long htonl(unsigned long);
unsigned long ntohl(unsigned long);
unsigned int htons(unsigned int);
unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    __CPROVER_assert(ntohl(htonl(x)) == x && htonl(0x01020304UL) == 0x04030201UL && htons(0x0102) == 0x0201, "reversed");
    return 0;
}
