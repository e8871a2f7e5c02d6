// args: check --error-label ERROR
// expect: exit 1
// expect: stdout violated: error-label: the label ERROR is reached
// expect: last FALSE(unreach-label)
extern unsigned char sensor(void);
int main(void)
{
    if (sensor() == 3)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
