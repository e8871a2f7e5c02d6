// args: run --checks overflow
// expect: exit 1
// verdict: FALSE(no-overflow)
// expect: stdout violated: overflow
// The check of a product of 128 bits divides; -1 times the smallest number must be reported by it, not end the run in it.
__int128 minus = -1, smallest = (__int128)1 << 126;
int main(void)
{
    smallest = -smallest * 2;
    smallest = minus * smallest;
    return 0;
}
