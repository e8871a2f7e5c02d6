// args: run --checks bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: bounds
struct { int a, b[3], c; } s;
int main(void)
{
    int i = 4;
    s.b[i] = 1;
    return 0;
}
