// args: check
// expect: exit 3
// expect: stderr CBMC's operator `<=>` is not supported
// expect: stderr write `!(a) == !(b)`
int main(int count)
{
    __CPROVER_assert(count > 2 <=> count >= 3, "equal");
    return 0;
}
