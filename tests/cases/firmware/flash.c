// args: check --checks bounds,pointer --engine bmc
// arch: avr
// expect: exit 0
// expect: last TRUE
// Named address spaces of avr-gcc: constants in program memory, and pointers to them.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#ifndef __FLASH
#error "avr-gcc has __flash"
#endif
static const __flash int table[3] = { 1, 2, 3 };
static __flash const char text[] = "ab";
const __memx char far = 'f';
static const char __flash1 *at = 0;

static int sum(const __flash int *p, unsigned char n)
{
    int s = 0;
    for (unsigned char i = 0; i < n; i++)
        s += p[i];
    return s;
}

int main(void)
{
    const __flash char *const __flash *names = 0;
    unsigned char n = __VERIFIER_nondet_uchar();
    if (n <= 3 && sum(table, n) > 6)
        reach_error();
    if (text[1] != 'b' || sizeof text != 3 || far != 'f' || at || names || sizeof names != 2)
        reach_error();
    return 0;
}
