// args: run --checks unsigned-overflow
// expect: exit 1
// verdict: FALSE(unsigned-overflow)
// expect: stdout violated: unsigned-overflow

int main(void)
{
    unsigned x = 65536u * 65536u;
    (void)x;
    return 0;
}
