// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `__CPROVER_assert(bytes[2] == 0, "in")` does not hold
int main(void)
{
    unsigned char bytes[8] = {0};
    __CPROVER_havoc_slice(bytes + 2, 3);
    __CPROVER_assert(bytes[1] == 0 && bytes[5] == 0, "out");
    __CPROVER_assert(bytes[2] == 0, "in");
    return 0;
}
