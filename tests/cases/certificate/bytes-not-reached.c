// args: check --engine symexia --validated
// expect: exit 0
// expect: stdout validated: its abstract states at loop heads are inductive
// expect: last TRUE
// To the validator the write in the inner loop may be anywhere in the array that a stride reaches. It cuts cells of other sizes there,
// and still no feasible iteration changes their bytes.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
struct part { int m[2]; int d : 3; struct { signed char e; } in; };
struct part grid[2] = { { { 0, 1 }, 1, { 2 } } };
struct part *at = &grid[1], **there = &at;
unsigned char seen;
int main(void)
{
    while (1) {
        unsigned count = __VERIFIER_nondet_uchar();
        seen = at->m[0] != seen;
        for (unsigned i = 0; i < (count & 3); i++)
            at->m[i & 1] -= count;
        grid[0].in.e &= 1;
        grid[1].in.e &= 1;
        if (grid[1].d) reach_error();
    }
}
