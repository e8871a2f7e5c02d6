// args: check --engine simulate
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    struct tm date;
    memset(&date, 0, sizeof date);
    date.tm_year = 124;
    date.tm_mon = 1;
    date.tm_mday = 31;
    mktime(&date);
    assert(date.tm_mon == 1);
    return 0;
}
