// args: run --checks bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: bounds
int a[4];
int main(void)
{
    for (int i = 0; i <= 4; i++) a[i] = i;
    return 0;
}
