/* Interrupts on a machine without an operating system.
 *
 * __plumb_interrupt_point is called behind every statement that handlers can see, or whose effects they have (the pass `preempt` puts the calls): any number
 * of interrupts may occur there, one after the other. A handler is a call on the stack of what it interrupts.
 *
 * Lowering fills in the tables and the initial values. */

static void (*__plumb_interrupt_handlers[32])(void);
static unsigned char __plumb_interrupt_priorities[32];
static unsigned char __plumb_interrupt_handler_count;
static unsigned char __plumb_interrupt_masked;
/* AVR and HC12: the machine masks interrupts when a handler begins, and unmasks them when it returns; what priorities there are decide
 * between requests only. Elsewhere a handler runs at its priority, and the mask stays as it is. */
static unsigned char __plumb_interrupt_masks_on_entry;
/* Of what runs; main has 0. */
static unsigned char __plumb_interrupt_priority;

void __plumb_interrupt_mask(void) { __plumb_interrupt_masked = 1; }
void __plumb_interrupt_unmask(void) { __plumb_interrupt_masked = 0; }

/* AVR's status register, of which bit 7 tells that interrupts are not masked. */
unsigned char __plumb_interrupt_status(void)
{
    return (unsigned char)((__plumb_nondet_uchar() & 127) | (__plumb_interrupt_masked ? 0 : 128));
}

void __plumb_interrupt_set_status(unsigned char status) { __plumb_interrupt_masked = !(status & 128); }

/* ARM's PRIMASK, of which bit 0 tells that interrupts are masked. */
unsigned long __plumb_interrupt_primask(void) { return __plumb_interrupt_masked; }
void __plumb_interrupt_set_primask(unsigned long primask) { __plumb_interrupt_masked = primask & 1; }

static void __plumb_interrupt_run(unsigned source)
{
    unsigned char priority = __plumb_interrupt_priority;
    if (__plumb_interrupt_masks_on_entry)
        __plumb_interrupt_masked = 1;
    else
        __plumb_interrupt_priority = __plumb_interrupt_priorities[source];
    __plumb_interrupt_handlers[source]();
    __plumb_interrupt_priority = priority;
    if (__plumb_interrupt_masks_on_entry)
        __plumb_interrupt_masked = 0;
}

/* Whether one occurs. */
static _Bool __plumb_interrupt_occurs(void)
{
    unsigned source;
    if (__plumb_interrupt_masked || __plumb_atomic_depth)
        return 0;
    for (source = 0; source < __plumb_interrupt_handler_count; source++) {
        if (__plumb_interrupt_priorities[source] > __plumb_interrupt_priority && __plumb_nondet_schedule()) {
            __plumb_interrupt_run(source);
            return 1;
        }
    }
    return 0;
}

void __plumb_interrupt_point(void)
{
    while (__plumb_interrupt_occurs()) {
    }
}

/* Lowering names these where programs do not, so that their bodies are wanted. */
static void (*const __plumb_named_by_lowering[])(void) = {
    __plumb_atomic_begin,
    __plumb_atomic_end,
    __plumb_interrupt_point,
    __plumb_interrupt_mask,
    __plumb_interrupt_unmask,
    (void (*)(void))__plumb_interrupt_status,
    (void (*)(void))__plumb_interrupt_set_status,
    (void (*)(void))__plumb_interrupt_primask,
    (void (*)(void))__plumb_interrupt_set_primask,
};
