// args: run --checks overflow
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    int x = -2147483647, y = -1;
    x = x / y;
    return 0;
}
