// args: check
// expect: exit 3
// expect: stderr CBMC's types of bit vectors are not supported: `__CPROVER_bitvector`
// expect: stderr use an integer type of at least that width
int main(void)
{
    __CPROVER_bitvector[7] x = 127;
    return 0;
}
