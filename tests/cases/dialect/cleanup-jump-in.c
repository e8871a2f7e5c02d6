// args: check --engine bmc
// expect: exit 2
// expect: stdout a jump into the scope of a variable with a cleanup function
#include <assert.h>

static int sum;

static void add(int *p) { sum += *p; }

int main(int argc, char **argv)
{
    if (argc > 1)
        goto in;
    {
        int v __attribute__((cleanup(add))) = 3;
in:
        sum++;
    }
    assert(sum < 10);
    return 0;
}
