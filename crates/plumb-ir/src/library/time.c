/* <time.h>, <sys/time.h>: what a clock says is an input; the calendar is computed.
 *
 * Universal time has one calendar. How far local time is from it depends on the zone and the date: any distance that POSIX
 * lets a zone have. */

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

/* Never less than before, but -1 where it is not available; a long of 32 bits starts again within hours. */
static long __plumb_last_clock;

long clock(void)
{
    long now = __plumb_nondet_long();
    if (sizeof(long) == 4 || now == -1)
        return now;
    __plumb_assume(now >= __plumb_last_clock);
    __plumb_last_clock = now;
    return now;
}

/* Rounded once. */
double difftime(long later, long earlier)
{
    if (later >= earlier)
        return (double)((unsigned long)later - (unsigned long)earlier);
    return -(double)((unsigned long)earlier - (unsigned long)later);
}

/* Seconds and microseconds. */
int gettimeofday(struct __plumb_timespec *now, void *zone)
{
    if (zone)
        __plumb_unsupported("gettimeofday with a time zone");
    if (now) {
        now->sec = __plumb_nondet_long();
        now->nsec = (long)(__plumb_nondet_ulong() % 1000000UL);
    }
    return 0;
}

/* What the clocks that nobody sets said last: CLOCK_MONOTONIC (1) to CLOCK_BOOTTIME (7), and CLOCK_BOOTTIME_ALARM (9). */
static struct __plumb_timespec __plumb_clocks[10];

int clock_gettime(int clock_id, struct __plumb_timespec *now)
{
    long sec, nsec;
    if (__plumb_nondet_bool())
        return __plumb_refused();
    sec = __plumb_nondet_long();
    nsec = (long)(__plumb_nondet_ulong() % 1000000000UL);
    if ((clock_id >= 1 && clock_id <= 4) || clock_id == 6 || clock_id == 7 || clock_id == 9) {
        struct __plumb_timespec *last = &__plumb_clocks[clock_id];
        __plumb_assume(sec > last->sec || (sec == last->sec && nsec >= last->nsec));
        last->sec = sec;
        last->nsec = nsec;
    }
    now->sec = sec;
    now->nsec = nsec;
    return 0;
}

int clock_getres(int clock_id, struct __plumb_timespec *step)
{
    (void)clock_id;
    if (__plumb_nondet_bool())
        return __plumb_refused();
    if (step) {
        step->sec = (long)(__plumb_nondet_ulong() >> 1);
        step->nsec = (long)(__plumb_nondet_ulong() % 1000000000UL);
    }
    return 0;
}

int timespec_get(struct __plumb_timespec *now, int base)
{
    if (base != 1 || __plumb_nondet_bool())
        return 0;
    now->sec = __plumb_nondet_long();
    now->nsec = (long)(__plumb_nondet_ulong() % 1000000000UL);
    return base;
}

/* --- the calendar --- */

static long long __plumb_floor_div(long long a, long long b) { return a / b - (a % b < 0); }
static long long __plumb_floor_rem(long long a, long long b) { return a % b < 0 ? a % b + b : a % b; }

/* Days from the first of January 1970 to the first of March of a year. */
static long long __plumb_days_to_march(long long year)
{
    return 365 * year + __plumb_floor_div(year, 4) - __plumb_floor_div(year, 100) + __plumb_floor_div(year, 400) - 719468;
}

/* Days from the first of March to the first of a month; March is 0. */
static int __plumb_days_from_march(int month) { return (153 * month + 2) / 5; }

static int __plumb_is_leap(long long year)
{
    return __plumb_floor_rem(year, 4) == 0 && (__plumb_floor_rem(year, 100) != 0 || __plumb_floor_rem(year, 400) == 0);
}

/* Days from the first of January 1970 to a day; months and days may lie outside of their ranges. */
static long long __plumb_day_number(long long year, long long month, long long day)
{
    int from_march;
    year = year + __plumb_floor_div(month, 12);
    month = __plumb_floor_rem(month, 12);
    from_march = (int)(month + 10) % 12;
    if (from_march >= 10)
        year = year - 1;
    return __plumb_days_to_march(year) + __plumb_days_from_march(from_march) + day - 1;
}

/* The date and time of a number of seconds; 0 if the year does not fit. */
static int __plumb_to_calendar(long long when, struct __plumb_tm *to)
{
    long long day = __plumb_floor_div(when, 86400), year;
    int minute = (int)(__plumb_floor_rem(when, 86400) / 60), month, rest;
    /* A first guess at the year whose March the day is behind; at most one off. */
    year = __plumb_floor_div((day + 719468) * 400, 146097);
    if (__plumb_days_to_march(year) > day)
        year = year - 1;
    else if (__plumb_days_to_march(year + 1) <= day)
        year = year + 1;
    rest = (int)(day - __plumb_days_to_march(year));
    month = (5 * rest + 2) / 153;
    rest = rest - __plumb_days_from_march(month);
    if (month >= 10)
        year = year + 1;
    month = (month + 2) % 12;
    if (year - 1900 != (int)(year - 1900)) {
        __plumb_errno = 75; /* EOVERFLOW */
        return 0;
    }
    to->sec = (int)__plumb_floor_rem(when, 60);
    to->min = minute % 60;
    to->hour = minute / 60;
    to->mday = rest + 1;
    to->mon = month;
    to->year = (int)(year - 1900);
    to->wday = (int)__plumb_floor_rem(day + 4, 7);
    to->yday = (int)(day - __plumb_day_number(year, 0, 1));
    return 1;
}

/* How far local time is ahead: a zone and its summer time. */
static long __plumb_zone_distance(void)
{
    long distance = __plumb_nondet_long();
    __plumb_assume(distance > -180000L && distance < 180000L);
    return distance;
}

static struct __plumb_tm __plumb_calendar;

struct __plumb_tm *gmtime_r(const long *when, struct __plumb_tm *to)
{
    if (!__plumb_to_calendar(*when, to))
        return 0;
    to->isdst = 0;
    to->gmtoff = 0;
    to->zone = "GMT";
    return to;
}

static char __plumb_zone_name[8];

struct __plumb_tm *localtime_r(const long *when, struct __plumb_tm *to)
{
    long distance = __plumb_zone_distance();
    if (!__plumb_to_calendar(*when + (long long)distance, to))
        return 0;
    to->isdst = __plumb_nondet_bool();
    to->gmtoff = distance;
    __plumb_answer(__plumb_zone_name, 7);
    to->zone = __plumb_zone_name;
    return to;
}

struct __plumb_tm *gmtime(const long *when) { return gmtime_r(when, &__plumb_calendar); }
struct __plumb_tm *localtime(const long *when) { return localtime_r(when, &__plumb_calendar); }

static long long __plumb_from_calendar(const struct __plumb_tm *when)
{
    long long day = __plumb_day_number(1900LL + when->year, when->mon, when->mday);
    return ((day * 24 + when->hour) * 60 + when->min) * 60 + when->sec;
}

/* A time that fits, or -1. */
static long __plumb_fitting_time(long long when)
{
    if (when == (long)when)
        return (long)when;
    __plumb_errno = 75; /* EOVERFLOW */
    return -1;
}

long timegm(struct __plumb_tm *when)
{
    long result = __plumb_fitting_time(__plumb_from_calendar(when));
    if (result == -1 && __plumb_from_calendar(when) != -1)
        return -1;
    return gmtime_r(&result, when) ? result : -1;
}

/* Where the clock is put forward or back, other fields come out than went in. */
long mktime(struct __plumb_tm *when)
{
    long long local = __plumb_from_calendar(when);
    long moved = 0, result, distance = __plumb_zone_distance();
    if (__plumb_nondet_bool())
        moved = __plumb_zone_distance();
    local = local + moved;
    result = __plumb_fitting_time(local - distance);
    if (result == -1 && local - distance != -1)
        return -1;
    if (!__plumb_to_calendar(local, when))
        return -1;
    when->isdst = __plumb_nondet_bool();
    when->gmtoff = distance;
    __plumb_answer(__plumb_zone_name, 7);
    when->zone = __plumb_zone_name;
    return result;
}

long timelocal(struct __plumb_tm *when) { return mktime(when); }

/* --- dates as text --- */

static char __plumb_date_text[80];

char *asctime_r(const struct __plumb_tm *when, char *to)
{
    static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int known_day = when->wday >= 0 && when->wday < 7, known_month = when->mon >= 0 && when->mon < 12;
    int year = when->year;
    if (year > 2147483647L - 1900) {
        __plumb_errno = 75; /* EOVERFLOW */
        return 0;
    }
    sprintf(to, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", known_day ? days + 3 * when->wday : "???",
            known_month ? months + 3 * when->mon : "???", when->mday, when->hour, when->min, when->sec, 1900 + year);
    return to;
}

char *asctime(const struct __plumb_tm *when) { return asctime_r(when, __plumb_date_text); }

char *ctime_r(const long *when, char *to)
{
    struct __plumb_tm local;
    return localtime_r(when, &local) ? asctime_r(&local, to) : 0;
}

char *ctime(const long *when)
{
    struct __plumb_tm *local = localtime(when);
    return local ? asctime(local) : 0;
}

/* --- waiting --- */

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
