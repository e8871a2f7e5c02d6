// args: check --property overflow.prp
// expect: exit 2
// expect: stdout no answer: the program has nothing that the chosen checks look at
// expect: last UNKNOWN
extern int sensor(void);
int main(void)
{
    return sensor() == 3;
}
