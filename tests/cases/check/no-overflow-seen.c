// args: check --property overflow.prp
// expect: exit 2
// expect: stdout no answer: the program contains nothing that the chosen checks apply to
// expect: last UNKNOWN
extern int sensor(void);
int main(void)
{
    return sensor() == 3;
}
