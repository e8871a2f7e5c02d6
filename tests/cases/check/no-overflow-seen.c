// args: check --property overflow.prp
// expect: exit 2
// expect: last UNKNOWN
int main(void)
{
    2147483647 + 1;
    return 0;
}
