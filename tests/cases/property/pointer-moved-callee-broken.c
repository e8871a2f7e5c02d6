// args: run --checks pointer,bounds
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
void step(char *p, int n)
{
    p += n;
    *p = 1;
}
int main(void)
{
    char small[16], large[4096];
    step(large, 40);
    step(small, 40);
    return 0;
}
