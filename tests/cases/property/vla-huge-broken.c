// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
volatile int count = 0x7fffffff;
int main(void)
{
    int n = count;
    long long a[n][n];
    a[0][0] = 1;
    return 0;
}
