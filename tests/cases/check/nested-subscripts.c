// Subscripts in subscripts, each with conditions of its own.
// args: check --engine simulate
// then: check --engine bmc --checks bounds
// expect: then TRUE
// expect: last TRUE
#include <assert.h>
int a[10];
#define TEN(x) a[a[a[a[a[a[a[a[a[a[x]]]]]]]]]]
#define HUNDRED(x) TEN(TEN(TEN(TEN(TEN(TEN(TEN(TEN(TEN(TEN(x))))))))))
#define THOUSAND(x) HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(x))))))))))
int main(void)
{
    int y = THOUSAND(THOUSAND(0));
    assert(y != 7);
    return 0;
}
