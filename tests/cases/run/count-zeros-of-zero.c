// expect: exit 2
// expect: stdout count of the leading or trailing zeros of 0
int main(void)
{
    volatile unsigned long x = 0;
    return __builtin_ctzl(x) == 64;
}
