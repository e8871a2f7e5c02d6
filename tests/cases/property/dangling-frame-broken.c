// args: run --checks pointer
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout violated: pointer
/* The second call has its object where the first had: the old pointer must not be good again. */
int *kept;
void leave(void)
{
    int x = 1;
    kept = &x;
}
int use(int n)
{
    int y = n;
    int *p = &y;
    return *p + *kept;
}
int main(void)
{
    leave();
    return use(7);
}
