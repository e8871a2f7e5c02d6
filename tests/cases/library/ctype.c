// gcc: yes
#include <stdio.h>
#include <ctype.h>
int main(void)
{
    for (int c = -1; c < 256; c++) {
        int m = !!isalnum(c) | !!isalpha(c) << 1 | !!iscntrl(c) << 2 | !!isdigit(c) << 3 | !!isgraph(c) << 4 | !!islower(c) << 5 |
                !!isprint(c) << 6 | !!ispunct(c) << 7 | !!isspace(c) << 8 | !!isupper(c) << 9 | !!isxdigit(c) << 10 | !!isblank(c) << 11;
        printf("%x %d %d,", m, toupper(c), tolower(c));
    }
    char s[] = "Hello, World 42"; for (char *p = s; *p; p++) *p = isupper((unsigned char)*p) ? tolower(*p) : toupper(*p);
    printf("\n%s\n", s);
    return 0;
}
