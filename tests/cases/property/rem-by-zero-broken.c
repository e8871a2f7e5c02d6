// args: run --checks div-by-zero
// expect: exit 1
// expect: stdout violated: div-by-zero

int main(void)
{
    unsigned x = 1, y = 0;
    x %= y;
    return 0;
}
