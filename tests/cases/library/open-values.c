// gcc: yes
// arch: 64
/* The numbers of glibc, where C says only whether they are zero or what their sign is. */
int printf(const char *, ...);
int isalpha(int), isdigit(int), isalnum(int), isspace(int), isascii(int), isxdigit(int), isblank(int), ispunct(int),
    isprint(int), iscntrl(int), isgraph(int), isupper(int), islower(int), toupper(int), tolower(int);
int memcmp(const void *, const void *, unsigned long), strcmp(const char *, const char *),
    strncmp(const char *, const char *, unsigned long), strcasecmp(const char *, const char *),
    strcoll(const char *, const char *);
char *strerror(int);

int main(void)
{
    char x[20] = "abcdefghijklmnopz", y[20] = "abcdefghijklmnopc";
    for (int c = -1; c < 256; c++)
        printf("%d: %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", c, isalpha(c), isdigit(c), isalnum(c), isspace(c),
               isascii(c), isxdigit(c), isblank(c), ispunct(c), isprint(c), iscntrl(c), isgraph(c), isupper(c), islower(c),
               toupper(c), tolower(c));
    printf("%d %d %d %d %d\n", memcmp(x, y, 17), strcmp(x, y), strncmp(x, y, 19), strcasecmp(x, y), strcoll(x, y));
    printf("%d %d %d %d %d\n", memcmp(y, x, 17), strcmp(y, x), strncmp(y, x, 19), strcasecmp(y, x), strcoll(y, x));
    printf("%s\n", strerror(2));
    printf("%s\n", strerror(0));
    printf("%s\n", strerror(999));
    return 0;
}
