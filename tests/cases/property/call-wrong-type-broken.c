// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
double half(double x)
{
    return x / 2;
}
int main(void)
{
    int (*f)(int) = (int (*)(int))half;
    return f(4);
}
