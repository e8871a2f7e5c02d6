// args: check --engine symexia --arch 32 --certificate {tmp}/c.json
// then: validate --arch 32 --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "abstraction"
// A structure is copied on a path that no run takes, beside a byte that an iteration does change.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct entry { unsigned char m[2]; int d : 3; struct { signed char e; } in; };
struct entry grid[2] = { { { 0, 1 }, 1, { 2 } } };
struct entry *chosen = &grid[1], **place = &chosen;

int main(void)
{
    while (1) {
        short input = __VERIFIER_nondet_uchar() & 3;
        if (1 <= ~input)
            grid[1] = input == 4 ? *chosen : grid[0];
        grid[0].in.e &= 1;
        grid[1].in.e &= 1;
        if ((chosen->m[1] & 15) == 1)
            reach_error();
    }
}
