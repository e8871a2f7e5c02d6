// args: check --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: then confirmed: the run of
// What a local is found with is told by an assumption.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x;
    if (x == 1234)
        reach_error();
    return 0;
}
