// args: check --checks overflow
// expect: exit 2
// expect: stdout no answer: the program contains nothing that the chosen checks apply to
// expect: last UNKNOWN
int main(void)
{
    return 0;
}
