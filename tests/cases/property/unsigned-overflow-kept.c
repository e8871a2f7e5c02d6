// args: run --checks unsigned-overflow
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    unsigned x = 1;
    x = x - 1;
    return 0;
}
