// What the EEPROM holds after a write is not known to Plumb, which is no reason to take it for anything.
// args: check --engine bmc --arch avr --error-function wrong
// expect: exit 2
// expect: stdout reading the EEPROM after a write is not modelled
unsigned char eeprom_read_byte(const unsigned char *);
void eeprom_update_byte(unsigned char *, unsigned char);
void wrong(void);

int main(void)
{
    eeprom_update_byte((unsigned char *)16, 5);
    if (eeprom_read_byte((const unsigned char *)16) != 5)
        wrong();
    return 0;
}
