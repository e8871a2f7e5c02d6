// args: run --checks float-nan
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    double x = 1, y = 0;
    x = x / y;
    return 0;
}
