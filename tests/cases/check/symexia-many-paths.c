// args: check --engine symexia --timeout 60
// expect: exit 0
// expect: last TRUE
// Each iteration decides twenty times: following a million paths one by one would not end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int p1 = __VERIFIER_nondet_int(), lock1 = 0;
        int p2 = __VERIFIER_nondet_int(), lock2 = 0;
        int p3 = __VERIFIER_nondet_int(), lock3 = 0;
        int p4 = __VERIFIER_nondet_int(), lock4 = 0;
        int p5 = __VERIFIER_nondet_int(), lock5 = 0;
        int p6 = __VERIFIER_nondet_int(), lock6 = 0;
        int p7 = __VERIFIER_nondet_int(), lock7 = 0;
        int p8 = __VERIFIER_nondet_int(), lock8 = 0;
        int p9 = __VERIFIER_nondet_int(), lock9 = 0;
        int p10 = __VERIFIER_nondet_int(), lock10 = 0;
        int p11 = __VERIFIER_nondet_int(), lock11 = 0;
        int p12 = __VERIFIER_nondet_int(), lock12 = 0;
        int p13 = __VERIFIER_nondet_int(), lock13 = 0;
        int p14 = __VERIFIER_nondet_int(), lock14 = 0;
        int p15 = __VERIFIER_nondet_int(), lock15 = 0;
        int p16 = __VERIFIER_nondet_int(), lock16 = 0;
        int p17 = __VERIFIER_nondet_int(), lock17 = 0;
        int p18 = __VERIFIER_nondet_int(), lock18 = 0;
        int p19 = __VERIFIER_nondet_int(), lock19 = 0;
        int p20 = __VERIFIER_nondet_int(), lock20 = 0;
        if (p1 != 0)
            lock1 = 1;
        if (p2 != 0)
            lock2 = 1;
        if (p3 != 0)
            lock3 = 1;
        if (p4 != 0)
            lock4 = 1;
        if (p5 != 0)
            lock5 = 1;
        if (p6 != 0)
            lock6 = 1;
        if (p7 != 0)
            lock7 = 1;
        if (p8 != 0)
            lock8 = 1;
        if (p9 != 0)
            lock9 = 1;
        if (p10 != 0)
            lock10 = 1;
        if (p11 != 0)
            lock11 = 1;
        if (p12 != 0)
            lock12 = 1;
        if (p13 != 0)
            lock13 = 1;
        if (p14 != 0)
            lock14 = 1;
        if (p15 != 0)
            lock15 = 1;
        if (p16 != 0)
            lock16 = 1;
        if (p17 != 0)
            lock17 = 1;
        if (p18 != 0)
            lock18 = 1;
        if (p19 != 0)
            lock19 = 1;
        if (p20 != 0)
            lock20 = 1;
        if (p1 != 0) {
            if (lock1 != 1)
                reach_error();
            lock1 = 0;
        }
        if (p2 != 0) {
            if (lock2 != 1)
                reach_error();
            lock2 = 0;
        }
        if (p3 != 0) {
            if (lock3 != 1)
                reach_error();
            lock3 = 0;
        }
        if (p4 != 0) {
            if (lock4 != 1)
                reach_error();
            lock4 = 0;
        }
        if (p5 != 0) {
            if (lock5 != 1)
                reach_error();
            lock5 = 0;
        }
        if (p6 != 0) {
            if (lock6 != 1)
                reach_error();
            lock6 = 0;
        }
        if (p7 != 0) {
            if (lock7 != 1)
                reach_error();
            lock7 = 0;
        }
        if (p8 != 0) {
            if (lock8 != 1)
                reach_error();
            lock8 = 0;
        }
        if (p9 != 0) {
            if (lock9 != 1)
                reach_error();
            lock9 = 0;
        }
        if (p10 != 0) {
            if (lock10 != 1)
                reach_error();
            lock10 = 0;
        }
        if (p11 != 0) {
            if (lock11 != 1)
                reach_error();
            lock11 = 0;
        }
        if (p12 != 0) {
            if (lock12 != 1)
                reach_error();
            lock12 = 0;
        }
        if (p13 != 0) {
            if (lock13 != 1)
                reach_error();
            lock13 = 0;
        }
        if (p14 != 0) {
            if (lock14 != 1)
                reach_error();
            lock14 = 0;
        }
        if (p15 != 0) {
            if (lock15 != 1)
                reach_error();
            lock15 = 0;
        }
        if (p16 != 0) {
            if (lock16 != 1)
                reach_error();
            lock16 = 0;
        }
        if (p17 != 0) {
            if (lock17 != 1)
                reach_error();
            lock17 = 0;
        }
        if (p18 != 0) {
            if (lock18 != 1)
                reach_error();
            lock18 = 0;
        }
        if (p19 != 0) {
            if (lock19 != 1)
                reach_error();
            lock19 = 0;
        }
        if (p20 != 0) {
            if (lock20 != 1)
                reach_error();
            lock20 = 0;
        }
    }
    return 0;
}
