// args: check --engine symexia --certificate {tmp}/c.json
// expect: exit 0
// expect: last TRUE
// then: validate --certificate {tmp}/c.json
// expect: then confirmed
/* No run changes the pointer, which only a solver can tell: the case is infeasible for every input. */
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned numbers[2] = {1, 0};
unsigned *at = numbers;

int main(void)
{
    unsigned char step = 1;
    while (1) {
        unsigned char in = __VERIFIER_nondet_uchar() & 1;
        if (in / ((step & 7) + 1) > 2)
            at = in ? numbers + 1 : numbers;
        if (*at > 1)
            reach_error();
        step += in;
        if (step > 7)
            step = 7;
    }
}
