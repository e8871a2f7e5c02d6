// args: run --checks div-by-zero
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    int x = 1, y = 2;
    x = x / y % y;
    return 0;
}
