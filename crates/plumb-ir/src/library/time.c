/* <time.h>, <sys/time.h>: what a clock says is an input. */

struct __plumb_tm {
    int sec, min, hour, mday, mon, year, wday, yday, isdst;
    long gmtoff;
    const char *zone;
};

struct __plumb_timespec {
    long sec, nsec;
};

long time(long *result)
{
    long now = __plumb_nondet_long();
    if (result)
        *result = now;
    return now;
}

long clock(void) { return __plumb_nondet_long(); }

double difftime(long later, long earlier) { return (double)later - (double)earlier; }

/* Seconds and microseconds. */
int gettimeofday(struct __plumb_timespec *now, void *zone)
{
    (void)zone;
    if (now) {
        now->sec = __plumb_nondet_long();
        now->nsec = (long)(__plumb_nondet_ulong() % 1000000UL);
    }
    return 0;
}

int clock_gettime(int clock_id, struct __plumb_timespec *now)
{
    (void)clock_id;
    if (__plumb_nondet_bool())
        return __plumb_refused();
    now->sec = __plumb_nondet_long();
    now->nsec = (long)(__plumb_nondet_ulong() % 1000000000UL);
    return 0;
}

static struct __plumb_tm __plumb_calendar;

struct __plumb_tm *gmtime_r(const long *when, struct __plumb_tm *to)
{
    (void)*when;
    to->sec = __plumb_nondet_uchar() % 61;
    to->min = __plumb_nondet_uchar() % 60;
    to->hour = __plumb_nondet_uchar() % 24;
    to->mday = __plumb_nondet_uchar() % 31 + 1;
    to->mon = __plumb_nondet_uchar() % 12;
    to->year = __plumb_nondet_int();
    to->wday = __plumb_nondet_uchar() % 7;
    to->yday = (int)(__plumb_nondet_uint() % 366);
    to->isdst = __plumb_nondet_uchar() % 3 - 1;
    to->gmtoff = __plumb_nondet_long();
    to->zone = "";
    return to;
}

struct __plumb_tm *localtime_r(const long *when, struct __plumb_tm *to) { return gmtime_r(when, to); }
struct __plumb_tm *gmtime(const long *when) { return gmtime_r(when, &__plumb_calendar); }
struct __plumb_tm *localtime(const long *when) { return gmtime_r(when, &__plumb_calendar); }

long mktime(struct __plumb_tm *when)
{
    (void)when->sec;
    return __plumb_nondet_long();
}

static char __plumb_date_text[26];

char *ctime(const long *when)
{
    (void)*when;
    __plumb_answer(__plumb_date_text, 25);
    return __plumb_date_text;
}

char *asctime(const struct __plumb_tm *when)
{
    (void)when->sec;
    __plumb_answer(__plumb_date_text, 25);
    return __plumb_date_text;
}

unsigned sleep(unsigned seconds)
{
    unsigned left = __plumb_nondet_uint();
    return left < seconds ? left : seconds;
}

int usleep(unsigned microseconds)
{
    (void)microseconds;
    return __plumb_nondet_bool() ? 0 : __plumb_refused();
}

int nanosleep(const struct __plumb_timespec *wanted, struct __plumb_timespec *left)
{
    (void)wanted->sec;
    if (!__plumb_nondet_bool())
        return 0;
    if (left) {
        left->sec = __plumb_nondet_long();
        left->nsec = (long)(__plumb_nondet_ulong() % 1000000000UL);
    }
    __plumb_errno = 4; /* EINTR */
    return -1;
}
