// args: run --checks div-by-zero
// expect: exit 1
// verdict: FALSE(div-by-zero)
// expect: stdout violated: div-by-zero

int main(void)
{
    int x = 1, y = 0;
    x = x / y;
    return 0;
}
