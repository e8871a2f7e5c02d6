// gcc knows its builtins for single instructions without a declaration: swap exchanges the halves of a byte.
// args: check --arch avr --engine bmc --error-function wrong
// expect: exit 0
// expect: last TRUE
extern void wrong(void);
unsigned char read_pins(void);

int main(void)
{
    unsigned char pins = read_pins();
    __builtin_avr_delay_cycles(8);
    __builtin_avr_nop();
    if (__builtin_avr_swap(0x12) != 0x21 || __builtin_avr_swap(__builtin_avr_swap(pins)) != pins)
        wrong();
    return 0;
}
