// args: run --checks conversion
// expect: exit 0
// expect: last exited with status 0

int main(void)
{
    int x = 255;
    unsigned char c = x;
    return 0;
}
