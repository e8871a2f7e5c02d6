// gcc: yes
// arch: 32 64
#include <stdio.h>
#include <string.h>
#include <strings.h>
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void)
{
    char b[32], c[32];
    strcpy(b, "hello"); strcat(b, " world"); strncat(b, "!!!", 1);
    printf("%s %zu %zu\n", b, strlen(b), strnlen(b, 4));
    strncpy(c, "ab", 5); printf("%d %d %s\n", c[2], c[4], c);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("", ""), sign(strcmp("a\xff", "a\x01")));
    printf("%d %d %d\n", strncmp("abc", "abd", 2), sign(strncmp("abc", "abd", 3)), strncmp("x", "y", 0));
    printf("%d %d\n", strcasecmp("HeLLo", "hEllO"), sign(strncasecmp("abC", "ABd", 3)));
    printf("%s %s %d %d\n", strchr(b, 'o'), strrchr(b, 'o'), strchr(b, 'z') == NULL, strchr(b, 0) == b + strlen(b));
    printf("%s %d %s\n", strstr(b, "wor"), strstr(b, "xyz") == NULL, strstr(b, ""));
    printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"), strpbrk("hello", "xlo"));
    char t[] = ",a,,b;c,"; for (char *p = strtok(t, ",;"); p; p = strtok(NULL, ",;")) printf("[%s]", p); printf("\n");
    char m[10] = "012345678"; memmove(m + 2, m, 5); printf("%s\n", m);
    memcpy(m, "xyz", 2); memset(m + 5, '-', 3); printf("%s\n", m);
    printf("%d %d %s\n", sign(memcmp("ab\0c", "ab\0d", 4)), memcmp("a", "b", 0), (char *)memchr("abcdef", 'd', 6));
    bzero(m, 3); printf("%d%d\n", m[0], m[2]);
    printf("%s\n", stpcpy(c, "end") - 1);
    return 0;
}
