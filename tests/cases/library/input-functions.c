// args: run --seed 2 --checks assertion
// expect: last exited with status 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
int main(void)
{
    char line[16];
    int n;
    for (int i = 0; i < 20; i++) {
        int c = getchar();
        assert(c >= -1 && c <= 255);
        if (fgets(line, sizeof line, stdin)) assert(memchr(line, 0, sizeof line));
        if (scanf("%d", &n) == 1) n++;
        if (scanf("%9s", line) == 1) assert(strlen(line) <= 9);
        char *home = getenv("HOME");
        assert(!home || strlen(home) < 256);
    }
    FILE *f = fopen("x", "r");
    if (f) { size_t got = fread(line, 1, sizeof line, f); assert(got <= sizeof line); fclose(f); }
    return 0;
}
