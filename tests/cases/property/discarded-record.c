// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer

struct s { int a[4]; };

int main(void)
{
    struct s *p = 0;
    *p;
    return 0;
}
