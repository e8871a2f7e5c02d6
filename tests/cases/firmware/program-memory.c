// args: check --engine bmc
// arch: avr
// expect: exit 0
// expect: stdout assumed: objects in program memory are read with pgm_read_byte and its like, never directly: table
// expect: last TRUE
/* An ordinary read looks for the table in data memory, where it is not. */
extern void reach_error(void);
static const unsigned char table[2] __attribute__((__progmem__)) = { 3, 4 };

int main(void)
{
    if (table[1] != 4)
        reach_error();
    return 0;
}
