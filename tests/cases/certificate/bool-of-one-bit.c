// args: check --arch 32 --engine symexia --certificate {tmp}/c.json
// then: validate --arch 32 --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// The lowest bit of an input is a truth value, wherever it is stored and however paths are joined.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
unsigned char sum = 0;
long long mask = 1;
_Bool flags[2] = { 1, 0 }, *first = flags;

int main(void)
{
    while (1) {
        signed char in = __VERIFIER_nondet_uint() & 1;
        if ((flags[0] <= -2 * flags[*first & 1]) && (sum = sum + in)) {
            int i = (int)(mask & 3);
            while (i-- > 0) {
                flags[in & 1] = 3;
            }
            mask ^= mask;
        } else {
            *first = in;
        }
        int r = (int)((flags[~mask & 1] + ((3u << (mask & 3)) > (sum ^ sum))) & 15);
        if (r > 2) reach_error();
    }
}
