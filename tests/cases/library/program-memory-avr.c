// Functions of avr-libc for program memory copy like others; the EEPROM holds anything.
// args: check --arch avr --error-function wrong
// expect: exit 1
// expect: stdout violated: error-call: wrong
// expect: stdout program-memory-avr.c:24:
// expect: last FALSE(unreach-call)
char *strcpy_P(char *, const char *);
void *memcpy_P(void *, const void *, unsigned);
unsigned strlen_P(const char *);
void eeprom_read_block(void *, const void *, unsigned);
void wrong(void);
static const char text[] = "abc";

int main(void)
{
    char copy[8];
    unsigned char stored = 3;
    strcpy_P(copy, text);
    memcpy_P(copy + 1, text, 2);
    if (!(copy[0] == 'a' && copy[1] == 'a' && copy[2] == 'b' && copy[3] == 0 && strlen_P(copy) == 3))
        wrong();
    eeprom_read_block(&stored, (const void *)16, 1);
    if (stored == 7)
        wrong();
    return 0;
}
