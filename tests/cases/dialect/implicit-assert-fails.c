// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
int main(void)
{
    double zero = 0.0;
    assert(zero);
    return 0;
}
