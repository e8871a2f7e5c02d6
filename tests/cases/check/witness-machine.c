// args: check --arch avr --witness {tmp}/w.yml
// expect: exit 1
// expect: stdout no data model for the machine `avr`
// expect: last FALSE(unreach-call)
extern void reach_error(void);
int main(void)
{
    reach_error();
    return 0;
}
