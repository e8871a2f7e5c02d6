// args: check --checks overflow
// expect: exit 2
// expect: stdout no answer: the program has nothing that the chosen checks look at
// expect: last UNKNOWN
int main(void)
{
    return 0;
}
