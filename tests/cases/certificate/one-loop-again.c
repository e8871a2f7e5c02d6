// args: check --engine la --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "abstraction"
// A loop that is entered three times in each iteration: what is claimed of it the third time rests on the second time, not on the
// first, which all runs have been through as well.
extern void __VERIFIER_error(void);

int main(void)
{
    int left = 2;
    while (1) {
        for (int round = 3; round > 0; round--)
            for (int at = 0; at < (left & 3); at++)
                left--;
        if (left == 1)
            __VERIFIER_error();
    }
}
