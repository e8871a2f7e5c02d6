// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow

int main(void)
{
    int x = 2147483647;
    int y = (x + 1, 3);
    (void)y;
    return 0;
}
