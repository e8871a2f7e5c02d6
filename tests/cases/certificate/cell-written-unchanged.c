// args: check --arch 32 --engine symexia --certificate {tmp}/c.json
// then: validate --arch 32 --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// What an iteration writes with the value that was there, or only on paths that no run takes, does not change: the proof
// says nothing of it, and need not.
extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
unsigned short limits[2] = { 1, 0 };
struct mode { short on : 3; unsigned step : 3; _Bool is_dimmed : 1; unsigned long long k; };
struct mode mode = { 1, 0, 1, 2 }, *modes = &mode;
struct light { unsigned char m[2]; int level : 3; struct { signed char e; } in; };
struct light lights[2] = { { { 0, 1 }, 1, { 2 } } }, *second = &lights[1];

int main(void)
{
    while (1) {
        signed char in = __VERIFIER_nondet_ushort() & 3;
        if ((in < modes->on) + in) {
            if (limits[modes->k & 1]) {
            }
            second->level >>= 2;
        } else {
            if (modes->on + in) {
            }
            mode.is_dimmed = (signed char)(in * lights[1].level);
        }
        int r = (int)(lights[1].level & 15);
        if (!(r != 1)) reach_error();
    }
}
