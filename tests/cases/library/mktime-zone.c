// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// What mktime returns depends on the time zone.
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    struct tm date;
    memset(&date, 0, sizeof date);
    date.tm_year = 70;
    date.tm_mday = 1;
    assert(mktime(&date) == 0);
    return 0;
}
