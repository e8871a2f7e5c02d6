// args: run --checks div-by-zero
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    double x = 1, y = 0;
    x /= y;
    return 0;
}
