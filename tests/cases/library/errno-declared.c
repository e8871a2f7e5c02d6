// args: check --engine bmc
// expect: exit 2
// expect: stdout an object that functions of the C library change
// expect: last UNKNOWN
extern void reach_error(void);
extern int errno;
extern int outside(void);

int main(void)
{
    errno = 0;
    outside();
    if (errno != 0)
        reach_error();
    return 0;
}
