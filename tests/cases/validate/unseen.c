// args: validate --witness unseen.yml --checks overflow
// expect: exit 2
// expect: last unknown: no operation that a run can get to is looked at by these checks
// No check was placed, which is no proof: `plumb check` says UNKNOWN too.
int main(void)
{
    return 0;
}
