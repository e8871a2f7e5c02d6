// What the headers of C23 turn scanf and strtoimax into stores like they do, whatever a property file says of missing functions.
// args: check --property ../check/unreach.prp
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
int __isoc23_sscanf(const char *, const char *, ...);
int __isoc23_scanf(const char *, ...);
int __isoc99_vscanf(const char *, __builtin_va_list);
long __isoc23_strtoimax(const char *, char **, int);
unsigned long __strtoul_internal(const char *, char **, int, int);

static void read_one(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    __isoc99_vscanf(format, list);
    __builtin_va_end(list);
}

int main(void)
{
    int number = 0, typed = 0, other = 0;
    char *end = 0, *behind = 0;
    __isoc23_sscanf("12", "%d", &number);
    __isoc23_scanf("%d", &typed);
    read_one("%d", &other);
    if (__isoc23_strtoimax("34", &end, 10) == 34 && __strtoul_internal("5", &behind, 10, 0) == 5 && number == 12 && typed == 7
        && other == 8 && end && behind)
        reach_error();
    return 0;
}
