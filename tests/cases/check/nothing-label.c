// args: check --error-label EROR
// expect: exit 3
// expect: stderr no label `EROR`
extern int sensor(void);
int main(void)
{
    if (sensor() == 3)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
