// args: infer -F never
// expect: stdout never, entry (0 samples):
// expect: stdout     no run reached this location
// expect: last 0 likely facts from 300 runs; none of them is proved
int never(int x)
{
    return x;
}
int main(void)
{
    return 0;
}
