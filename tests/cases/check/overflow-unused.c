// args: check --property overflow.prp
// expect: exit 1
// expect: stdout without any input
// expect: last FALSE(no-overflow)
int main(void)
{
    2147483647 + 1;
    return 0;
}
