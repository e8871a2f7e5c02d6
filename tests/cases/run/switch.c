// gcc: yes
#include <stdio.h>
enum e { A, B = 5, C, D = -3 };
static int classify(int x)
{
    switch (x) {
    case 1: return 10;
    case 2:
    case 3: x += 100;
    case 4: x += 1000; break;
    case 10 ... 20: return 77;
    case -5 ... -2: return -77;
    default: return -1;
    }
    return x;
}
static const char *name(enum e e)
{
    switch (e) { case A: return "A"; case B: return "B"; case C: return "C"; case D: return "D"; }
    return "?";
}
static int duff(int n)
{
    int count = 0, i = (n + 3) / 4;
    switch (n % 4) {
    case 0: do { count++;
    case 3: count++;
    case 2: count++;
    case 1: count++;
            } while (--i > 0);
    }
    return count;
}
static int wide(unsigned long long x)
{
    switch (x) { case 0xffffffffffffffffULL: return 1; case 1ULL << 40: return 2; default: return 3; }
}
static int narrow(unsigned char c)
{
    switch (c) { case 255: return 1; case 256: return 2; case 'a': return 3; }
    return 0;
}
int main(void)
{
    for (int i = -6; i < 22; i++) printf("%d ", classify(i));
    printf("\n%s %s %s %s %s\n", name(A), name(B), name(C), name(D), name(9));
    for (int i = 1; i < 12; i++) printf("%d ", duff(i));
    printf("\n%d %d %d\n", wide(-1), wide(1ULL << 40), wide(4));
    printf("%d %d %d\n", narrow(-1), narrow(256), narrow('a'));
    switch (3) { int unreachable; default: unreachable = 4; printf("%d\n", unreachable); }
    switch (1) { case 0: printf("no\n"); }
    return 0;
}
