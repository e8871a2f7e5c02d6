// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow

signed char step = 3;
int factor = 2147483647;

int main(void)
{
    step *= factor;
    return step;
}
