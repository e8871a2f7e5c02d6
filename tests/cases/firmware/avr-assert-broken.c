// args: check --engine bmc
// arch: avr
// expect: exit 1
// expect: stdout the assertion `n < 3` does not hold
// expect: last FALSE(unreach-call)
// avr-libc's assert, which says nothing unless it is asked to, and builtins for single instructions.
#ifdef __ASSERT_USE_STDERR
extern void __assert(const char *function, const char *file, int line, const char *text);
#define assert(e) ((e) ? (void)0 : __assert(__func__, __FILE__, __LINE__, #e))
#else
extern void abort(void);
#define assert(e) ((e) ? (void)0 : abort())
#endif
extern void __builtin_avr_delay_cycles(unsigned long);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    __builtin_avr_delay_cycles(1000);
    assert(n < 3);
    return 0;
}
