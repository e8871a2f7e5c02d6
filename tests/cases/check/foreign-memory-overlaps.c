// Two pointers from outside may lead to neighbours.
// args: check --engine bmc --missing nothing
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern char *buffer(void);

int main(void)
{
    char *p = buffer(), *q = buffer();
    *p = 1;
    *q = 2;
    if (q == p + 1)
        reach_error();
    return 0;
}
