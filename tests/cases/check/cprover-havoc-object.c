// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `__CPROVER_assert(pair.b == 2, "b")` does not hold
struct pair {
    int a, b;
};

int main(void)
{
    struct pair pair = {1, 2};
    int other = 3;
    __CPROVER_havoc_object(&pair.a);
    __CPROVER_assert(other == 3, "other");
    __CPROVER_assert(pair.b == 2, "b");
    return 0;
}
