// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
int main(void)
{
    int *p;
    {
        p = (int[]){1, 2};
    }
    return *p;
}
