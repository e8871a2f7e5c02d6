// args: run --checks overflow
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    short x = 32767;
    x++;
    return 0;
}
