// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
volatile int zero;
const int table[4] = {5};
int main(void)
{
    *(int *)&table[zero] = 1;
    return 0;
}
