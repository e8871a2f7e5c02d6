// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
int main(void)
{
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (p)
            *p = 1;
        p = &x;
    }
    return 0;
}
