// gcc: yes
// expect: stdout badcfe
#define _XOPEN_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char to[9] = "........";
    imaxdiv_t d = imaxdiv(-7, 2);
    swab("abcdefg", to, 7);
    printf("%s %d %d\n", to, (int)d.quot, (int)d.rem);
    return 0;
}
