// args: run --checks div-by-zero
// expect: exit 1
// expect: stdout violated: div-by-zero

int main(void)
{
    int x = 1, y = 0;
    x = x / y;
    return 0;
}
