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

/* Objects in program memory are objects like others. */
void *memcpy_P(void *to, const void *from, size_t size) { return memcpy(to, from, size); }
int memcmp_P(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }
char *strcpy_P(char *to, const char *from) { return strcpy(to, from); }
char *strncpy_P(char *to, const char *from, size_t size) { return strncpy(to, from, size); }
char *strcat_P(char *to, const char *from) { return strcat(to, from); }
char *strncat_P(char *to, const char *from, size_t size) { return strncat(to, from, size); }
size_t strlcpy_P(char *to, const char *from, size_t size) { return strlcpy(to, from, size); }
size_t strlcat_P(char *to, const char *from, size_t size) { return strlcat(to, from, size); }
int strcmp_P(const char *a, const char *b) { return strcmp(a, b); }
int strncmp_P(const char *a, const char *b, size_t size) { return strncmp(a, b, size); }
size_t strlen_P(const char *text) { return strlen(text); }
size_t __strlen_P(const char *text) { return strlen(text); }
size_t strnlen_P(const char *text, size_t size) { return strnlen(text, size); }

/* What the EEPROM holds is anything, until the program writes it: of what is read then nothing is known here. */

static _Bool __plumb_eeprom_is_written;

static void __plumb_eeprom_read(void *to, size_t size)
{
    if (__plumb_eeprom_is_written)
        __plumb_unsupported("reading the EEPROM after a write is not modelled");
    __plumb_answer(to, size);
}

void eeprom_read_block(void *to, const void *from, size_t size) { __plumb_eeprom_read(to, size); }
void eeprom_write_block(const void *from, void *to, size_t size) { __plumb_eeprom_is_written = 1; }
void eeprom_update_block(const void *from, void *to, size_t size) { __plumb_eeprom_is_written = 1; }

unsigned char eeprom_read_byte(const unsigned char *from)
{
    unsigned char value;
    __plumb_eeprom_read(&value, sizeof value);
    return value;
}

void eeprom_write_byte(unsigned char *to, unsigned char value) { __plumb_eeprom_is_written = 1; }
void eeprom_update_byte(unsigned char *to, unsigned char value) { __plumb_eeprom_is_written = 1; }

unsigned int eeprom_read_word(const unsigned int *from)
{
    unsigned int value;
    __plumb_eeprom_read(&value, sizeof value);
    return value;
}

void eeprom_write_word(unsigned int *to, unsigned int value) { __plumb_eeprom_is_written = 1; }
void eeprom_update_word(unsigned int *to, unsigned int value) { __plumb_eeprom_is_written = 1; }

unsigned long eeprom_read_dword(const unsigned long *from)
{
    unsigned long value;
    __plumb_eeprom_read(&value, sizeof value);
    return value;
}

void eeprom_write_dword(unsigned long *to, unsigned long value) { __plumb_eeprom_is_written = 1; }
void eeprom_update_dword(unsigned long *to, unsigned long value) { __plumb_eeprom_is_written = 1; }

unsigned long long eeprom_read_qword(const unsigned long long *from)
{
    unsigned long long value;
    __plumb_eeprom_read(&value, sizeof value);
    return value;
}

void eeprom_write_qword(unsigned long long *to, unsigned long long value) { __plumb_eeprom_is_written = 1; }
void eeprom_update_qword(unsigned long long *to, unsigned long long value) { __plumb_eeprom_is_written = 1; }

float eeprom_read_float(const float *from)
{
    float value;
    __plumb_eeprom_read(&value, sizeof value);
    return value;
}

void eeprom_write_float(float *to, float value) { __plumb_eeprom_is_written = 1; }
void eeprom_update_float(float *to, float value) { __plumb_eeprom_is_written = 1; }

double eeprom_read_double(const double *from)
{
    double value;
    __plumb_eeprom_read(&value, sizeof value);
    return value;
}

void eeprom_write_double(double *to, double value) { __plumb_eeprom_is_written = 1; }
void eeprom_update_double(double *to, double value) { __plumb_eeprom_is_written = 1; }

long double eeprom_read_long_double(const long double *from)
{
    long double value;
    __plumb_eeprom_read(&value, sizeof value);
    return value;
}

void eeprom_write_long_double(long double *to, long double value) { __plumb_eeprom_is_written = 1; }
void eeprom_update_long_double(long double *to, long double value) { __plumb_eeprom_is_written = 1; }

/* What avr-libc's inline itoa and its like call: the radix is known to be good, or is not. */
char *__itoa(int value, char *to, int radix) { return itoa(value, to, radix); }
char *__utoa(unsigned value, char *to, int radix) { return utoa(value, to, radix); }
char *__ltoa(long value, char *to, int radix) { return ltoa(value, to, radix); }
char *__ultoa(unsigned long value, char *to, int radix) { return ultoa(value, to, radix); }
char *__itoa_ncheck(int value, char *to, unsigned char radix) { return itoa(value, to, radix); }
char *__utoa_ncheck(unsigned value, char *to, unsigned char radix) { return utoa(value, to, radix); }
char *__ltoa_ncheck(long value, char *to, unsigned char radix) { return ltoa(value, to, radix); }
char *__ultoa_ncheck(unsigned long value, char *to, unsigned char radix) { return ultoa(value, to, radix); }
