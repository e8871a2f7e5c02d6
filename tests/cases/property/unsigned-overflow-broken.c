// args: run --checks unsigned-overflow
// expect: exit 1
// expect: stdout violated: unsigned-overflow

int main(void)
{
    unsigned x = 0;
    x = x - 1;
    return 0;
}
