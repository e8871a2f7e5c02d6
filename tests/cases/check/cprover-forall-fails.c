// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
static int table[10] = {[9] = 1};

int main(void)
{
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i <= 9) ==> table[i] == 0 }, "all zero");
    return 0;
}
