// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
int main(void)
{
    int *p;
    {
        int x = 5;
        p = &x;
    }
    return *p;
}
