// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
volatile int count = -1;
int main(void)
{
    int n = count;
    int a[n];
    a[0] = 1;
    return a[0];
}
