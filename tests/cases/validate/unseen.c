// args: validate --witness unseen.yml --checks overflow
// expect: exit 2
// expect: last unknown: no reachable operation is covered by these checks
// No check was placed, which is no proof: `plumb check` says UNKNOWN too.
int main(void)
{
    return 0;
}
