// args: run --checks pointer,bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
volatile int far = 100;
char small[16] = {1}, large[4096] = {1};
int main(void)
{
    char *p = small;
    p += far;
    *p = 1;
    p = large;
    return p[far] + small[0];
}
