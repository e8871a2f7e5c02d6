// args: check --engine bmc
// expect: last TRUE
#define SIZE 10
int nondet_int(void);
int table[SIZE];

int main(void)
{
    unsigned char bytes[4] = {1, 2, 3, 4};
    int k = nondet_int();
    __CPROVER_havoc_object(table);
    __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < SIZE) ==> table[i] == i });
    __CPROVER_assume(k >= 0 && k < SIZE);
    __CPROVER_assert(table[k] == k, "each");
    __CPROVER_assert(__CPROVER_exists { unsigned i; i < 4 && bytes[i] == 3 }, "one");
    __CPROVER_assert(!__CPROVER_exists { unsigned i; i < 4 && bytes[i] == 5 }, "none");
    __CPROVER_assert(__CPROVER_forall { int i; (i >= 3 && i < 3) ==> 0 }, "empty");
    __CPROVER_assert(k > 3 ==> k > 2 ==> k > 1, "from right to left");
    return 0;
}
