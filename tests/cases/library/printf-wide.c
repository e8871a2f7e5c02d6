// args: run
// expect: exit 2
// expect: stdout not supported: printf of wide strings

#include <stdio.h>
#include <wchar.h>

int main(void)
{
    printf("%ls\n", L"abc");
    return 0;
}
