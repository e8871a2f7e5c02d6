// args: infer -F tick
// expect: stdout tick, entry
// expect: stdout     (mode == 0 || mode == 1 || mode == 2)
// expect: stdout     \old(ticks) + 1 == ticks
// expect: stdout     mode == 0 ==> \result == 0
// expect: no-stdout other
// Globals that the function uses, before and after; those that it does not use are not told of.
extern unsigned char __VERIFIER_nondet_uchar(void);
enum mode { IDLE, RUN, STOP } mode;
unsigned ticks;
int other;
int tick(unsigned char speed)
{
    ticks++;
    return mode == IDLE ? 0 : mode == RUN ? speed : -1;
}
int main(void)
{
    for (int i = 0; i < 30; i++) {
        unsigned char input = __VERIFIER_nondet_uchar();
        mode = input % 3;
        other += input;
        tick(__VERIFIER_nondet_uchar());
    }
    return 0;
}
