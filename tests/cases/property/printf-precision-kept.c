// args: run --checks pointer,bounds
// expect: exit 0
#include <stdio.h>
int main(void)
{
    char a[3] = { 97, 98, 99 };
    printf("%.3s %.2s\n", a, a);
    fprintf(stderr, "%.*s\n", 3, a);
    return 0;
}
