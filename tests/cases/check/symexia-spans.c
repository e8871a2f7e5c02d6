// args: check --engine symexia --timeout 60
// expect: stdout holds: no abstract path violates a check
// expect: last TRUE
// Divisions and remainders of numbers in ranges, which intervals decide.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int level = -49, mode = 1;

static void step(int input)
{
    if (mode == 1 && level <= -43 && input == 1) {
        level = level % 299978 + 300100;
        mode = 2;
    } else if (mode == 2 && level > 80 && input == 2) {
        level = level / 5 - 440689;
        mode = 3;
    } else if (mode == 3 && level <= -43 && input == 3) {
        level = (level % 34) + 46;
        mode = 4;
    } else if (mode == 4 && 11 < level && level <= 80 && input == 4) {
        level = level * 5 - 497532;
        mode = 1;
    } else if (mode == 3 && level > -43) {
        reach_error();
    } else if (mode == 4 && level > 80) {
        reach_error();
    }
}

int main(void)
{
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input < 1 || input > 6)
            continue;
        step(input);
    }
}
