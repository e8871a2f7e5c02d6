// args: check --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: then confirmed: the run of
// A violation in a loop: three values, one in each iteration.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    static const int code[3] = { 3, 1, 4 };
    int state = 0;
    for (int i = 0; i < 3; i++) {
        int in = __VERIFIER_nondet_int();
        if (in == code[state])
            state++;
        else
            state = 0;
        if (state == 3)
            reach_error();
    }
    return 0;
}
