// args: run --checks div-by-zero
// expect: exit 1
// verdict: FALSE(div-by-zero)
// expect: stdout violated: div-by-zero

#include <stdlib.h>

int main(void)
{
    int zero = 0;
    div_t r = div(7, zero);
    (void)r;
    return 0;
}
