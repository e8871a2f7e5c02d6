// args: run --checks unsigned-overflow
// expect: exit 1
// verdict: FALSE(unsigned-overflow)
// expect: stdout violated: unsigned-overflow

int main(void)
{
    unsigned x = 0;
    x = x - 1;
    return 0;
}
