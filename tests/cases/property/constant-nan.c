// args: run --checks float-nan
// expect: exit 1
// verdict: FALSE(float-nan)
// expect: stdout violated: float-nan

int main(void)
{
    double x = 0.0 / 0.0;
    (void)x;
    return 0;
}
