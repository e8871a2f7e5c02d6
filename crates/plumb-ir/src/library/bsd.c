/* What a failed assert calls with the libraries of the BSDs. */

void __assert(const char *text, const char *file, int line) { __plumb_abort(); }

/* The function of avr-libc that stores what it reads; other machines may have one like it. */
int eeprom_read_block() { __plumb_unsupported("eeprom_read_block is not modelled"); }
