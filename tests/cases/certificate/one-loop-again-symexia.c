// args: check --engine symexia --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "abstraction"
// The same by another engine, with other claims.
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
