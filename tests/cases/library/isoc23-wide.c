// Variants of functions without a model are no functions of which nothing is known.
// args: check --property ../check/unreach.prp
// expect: exit 2
// expect: stdout __isoc23_wcstol is not modelled
extern void reach_error(void);
long __isoc23_wcstol(const int *, int **, int);

int main(void)
{
    static const int digits[] = {'5', 0};
    int *end = 0;
    __isoc23_wcstol(digits, &end, 10);
    if (end)
        reach_error();
    return 0;
}
