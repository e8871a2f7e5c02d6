// CMSIS saves PRIMASK, masks, and restores: masked where it was, unmasked where it was not.
// args: check --engine explicit --isr tick
// arch: 32
// expect: exit 0
// expect: last TRUE
extern void reach_error(void);

static volatile int low, high;

void tick(void)
{
    low = !low;
    high = low;
}

static inline unsigned get_primask(void)
{
    unsigned result;
    __asm volatile("MRS %0, primask" : "=r"(result));
    return result;
}

static inline void set_primask(unsigned mask)
{
    __asm volatile("MSR primask, %0" : : "r"(mask) : "memory");
}

static void guarded(void)
{
    unsigned saved = get_primask();
    __asm volatile("cpsid i" : : : "memory");
    if (low != high)
        reach_error();
    set_primask(saved);
}

int main(void)
{
    guarded();
    __asm volatile("cpsid i" : : : "memory");
    guarded();
    int before = low;
    if (before != low)
        reach_error();
    return 0;
}
