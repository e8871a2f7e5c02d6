// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
int object;
int main(void)
{
    void (*f)(void) = (void (*)(void))(void *)&object;
    f();
    return 0;
}
