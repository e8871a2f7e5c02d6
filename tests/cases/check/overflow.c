// args: check --property overflow.prp
// expect: exit 1
// expect: stdout violated: overflow:
// expect: last FALSE(no-overflow)
extern int sensor(void);
int main(void)
{
    int x = sensor();
    return x + 1 == 0;
}
