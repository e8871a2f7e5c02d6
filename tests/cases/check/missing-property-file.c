// args: check --engine bmc --property unreach.prp
// expect: stdout change nothing: configure
// expect: last TRUE
void reach_error(void);
void configure(int *setting);

int main(void)
{
    int setting = 4;
    configure(&setting);
    if (setting != 4)
        reach_error();
    return 0;
}
