// A function that stores what it reads, on a machine whose library Plumb does not know.
// args: check --property ../check/unreach.prp
// expect: exit 2
// expect: stdout eeprom_read_block is not modelled
extern void reach_error(void);
void eeprom_read_block(void *, const void *, unsigned long);

int main(void)
{
    unsigned char stored = 3;
    eeprom_read_block(&stored, (const void *)16, 1);
    if (stored != 3)
        reach_error();
    return 0;
}
