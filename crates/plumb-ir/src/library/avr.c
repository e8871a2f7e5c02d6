/* avr-gcc and avr-libc. */

/* Builtins for single instructions. */

void __builtin_avr_sei(void) { __asm__ __volatile__("sei" ::: "memory"); }
void __builtin_avr_cli(void) { __asm__ __volatile__("cli" ::: "memory"); }
void __builtin_avr_nop(void) { __asm__ __volatile__("nop"); }
void __builtin_avr_sleep(void) { __asm__ __volatile__("sleep" ::: "memory"); }
void __builtin_avr_wdr(void) { __asm__ __volatile__("wdr" ::: "memory"); }
void __builtin_avr_delay_cycles(unsigned long cycles) {}
unsigned char __builtin_avr_swap(unsigned char byte) { return (unsigned char)(byte << 4 | byte >> 4); }

/* What a failed assert calls with avr-libc. */
void __assert(const char *function, const char *file, int line, const char *text) { __plumb_abort(); }
