// gcc: yes
#include <stdio.h>
extern int isalpha(int), isdigit(int), ispunct(int), isspace(int), toupper(int), tolower(int), isxdigit(int);
int main(void)
{
    for (int c = 0; c < 128; c++) printf("%d%d%d%d%d%c", !!isalpha(c), !!isdigit(c), !!ispunct(c), !!isspace(c), !!isxdigit(c), c > 32 ? toupper(c) : '.');
    printf("\n%c\n", tolower('Q'));
    return 0;
}
