// args: check --witness {tmp}/w.yml
// expect: exit 1
// expect: stdout pointer-call-place.c:9:5, in main
// expect: file w.yml line: 9
extern void reach_error();
void (*fp)() = reach_error;
int main(void)
{
    fp();
    return 0;
}
