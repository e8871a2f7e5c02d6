// gcc: yes
#include <stdio.h>
#include <wchar.h>
static const char *const words[] = { "one", "two" "three", "a\tb\\\"\x41\101\0hidden" };
char global[] = "hello", cut[3] = "abc", padded[8] = "xy";
int main(void)
{
    for (int i = 0; i < 3; i++) printf("[%s]\n", words[i]);
    printf("%zu %zu %zu %d\n", sizeof global, sizeof cut, sizeof "a\0b", padded[7]);
    global[0] = 'J';
    char local[] = "local", *p = local + 1;
    p[0]++; *p++ = *p; p[-1] -= 32;
    printf("%s %s %c%c%c\n", global, local, cut[0], cut[1], cut[2]);
    printf("%d %d\n", "abc"[1], *("xyz" + 2));
    wchar_t w[] = L"wi\u00e9";
    printf("%d %d\n", (int)(sizeof w / sizeof *w), w[2]);
    printf("%s %d\n", __func__, (int)sizeof(__func__));
    const char *u8 = u8"\u00fc";
    printf("%d %d\n", (unsigned char)u8[0], (unsigned char)u8[1]);
    return 0;
}
