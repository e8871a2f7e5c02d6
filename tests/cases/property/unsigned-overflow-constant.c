// args: run --checks unsigned-overflow
// expect: exit 1
// expect: stdout violated: unsigned-overflow

int main(void)
{
    unsigned x = 0u - 1;
    (void)x;
    return 0;
}
