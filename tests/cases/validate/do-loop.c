// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: then confirmed
// The head of a `do` is the beginning of its body.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned char phase = 0;
    do
        if (phase == 3)
            phase = 0;
        else
            phase++;
    while (phase > 3 ? (reach_error(), 0) : __VERIFIER_nondet_int());
    return 0;
}
