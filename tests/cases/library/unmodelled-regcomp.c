// args: check --engine bmc
// expect: exit 2
// expect: stdout regcomp is not modelled
// expect: last UNKNOWN
#include <assert.h>
#include <regex.h>
#include <string.h>

int main(void)
{
    regex_t expression;
    memset(&expression, 0, sizeof expression);
    regcomp(&expression, "a*", 0);
    assert(expression.re_nsub == 0);
    return 0;
}
