// gcc: yes -std=gnu89
// args: run -std=gnu89
int printf();
static count;
add(a, b) int a; short b; { return a + b; }
double half(f) float f; { return f / 2; }
main()
{
    register i;
    auto x = 3;
    for (i = 0; i < 3; i++) count = count + add(i, 2);
    printf("%d %g %d\n", count, half(5.0f), x);
    return implicit(4);
}
implicit(n) { return n + 1; }
