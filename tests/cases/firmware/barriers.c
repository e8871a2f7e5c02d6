// args: check --engine bmc
// arch: 32 64 avr
// expect: exit 0
// expect: stdout assumed: barriers, hints and interrupt masks in assembly change nothing: cpsid i, dsb 0xf, isb sy, nop, sei, msr primask, %0, wfi, cpsie i, mfence
// expect: last TRUE
// A memory clobber is the compiler's barrier: what the instructions are known not to write stays.
extern void reach_error(void);
static int level;

static inline unsigned mask(void)
{
    unsigned m;
    __asm volatile("MRS %0, primask" : "=r"(m) :: "memory");
    return m;
}

int main(void)
{
    unsigned saved = mask();
    level = 1;
    __asm volatile("cpsid i" ::: "memory");
    __asm volatile("dsb 0xF\n\tisb  SY\n" ::: "memory");
    __asm volatile("" ::: "memory");
    __asm volatile("1: nop\n\t/* no more */ nop" ::: "memory");
    __asm volatile("sei" ::: "memory");
    __asm volatile("MSR primask, %0" :: "r"(saved) : "memory");
    __asm volatile("wfi" ::: "memory");
    __asm volatile("cpsie i" ::: "memory");
    __asm volatile("mfence" ::: "memory");
    if (level != 1)
        reach_error();
    return 0;
}
