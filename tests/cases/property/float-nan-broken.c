// args: run --checks float-nan
// expect: exit 1
// verdict: FALSE(float-nan)
// expect: stdout violated: float-nan

int main(void)
{
    double x = 0, y = 0;
    x = x / y;
    return 0;
}
