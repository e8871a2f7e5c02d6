// args: check --engine bmc
// expect: last TRUE
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t start = 100000000;
    struct tm *local = localtime(&start);
    assert(local && local->tm_year == 73 && local->tm_mon >= 1 && local->tm_mon <= 2);
    return 0;
}
