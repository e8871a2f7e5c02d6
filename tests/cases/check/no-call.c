// args: check --property unreach.prp
// expect: stdout holds: no function of the program contains an error location
// expect: last TRUE
extern int sensor(void);
int main(void)
{
    return sensor() == 3;
}
