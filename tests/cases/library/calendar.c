// args: run --seed 1
// gcc: yes
// expect: stdout 1970-01-01 00:00:00 day 4 of the week, 0 of the year
#include <stdio.h>
#include <string.h>
#include <time.h>

static void show(const struct tm *t)
{
    if (!t) {
        printf("no calendar\n");
        return;
    }
    printf("%d-%02d-%02d %02d:%02d:%02d day %d of the week, %d of the year, %d\n", t->tm_year + 1900, t->tm_mon + 1,
           t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, t->tm_wday, t->tm_yday, t->tm_isdst);
}

int main(void)
{
    static const time_t times[] = {0,          -1,         951782399,   951782400,    951868800,      1709164800,  4107542400,
                                   -2208988800, 253402300799, -62135596801, 1LL << 40, -(1LL << 40), 67767976233532799, 67768036191676799,
                                   0x7fffffffffffffffL, -67768040609740800, -67768040609740801};
    static const int fields[][6] = {{100, 0, 40, 0, 0, 0}, {100, 14, 0, 0, 0, 0}, {70, 0, 1, 0, 0, -1}, {101, -13, -400, 25, 61, 3601},
                                    {-1000, 5, 31, -24, 0, 0}, {124, 1, 29, 23, 59, 60}};
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        struct tm *t = gmtime(&times[i]);
        show(t);
        if (t && times[i] > -1000000000000L && times[i] < 1000000000000L)
            printf("%s", asctime(t));
    }
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct tm t;
        memset(&t, 0, sizeof t);
        t.tm_year = fields[i][0];
        t.tm_mon = fields[i][1];
        t.tm_mday = fields[i][2];
        t.tm_hour = fields[i][3];
        t.tm_min = fields[i][4];
        t.tm_sec = fields[i][5];
        printf("%ld\n", (long)timegm(&t));
        show(&t);
    }
    printf("%.17g %.17g %.17g\n", difftime((1L << 53) + 1, 1L << 53), difftime(1, 2),
           difftime(0x7fffffffffffffffL, -0x7fffffffffffffffL - 1));
    return 0;
}
