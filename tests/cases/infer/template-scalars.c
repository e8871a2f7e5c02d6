// Each template of single values: of a function for which it holds of every call the fact is proved, of its twin, which a rare
// input makes an exception of, it is not.
//
// args: infer --prove
// expect: stdout \result == 12 (proved)
// expect: stdout \result == 13
// expect: no-stdout \result == 13 (proved)
// expect: stdout (\result == 1 || x == \result) (proved)
// expect: stdout (\result == 3 || x == \result)
// expect: no-stdout (\result == 3 || x == \result) (proved)
// expect: stdout (\result == 2 || \result == 5 || \result == 11) (proved)
// expect: stdout (\result == 20 || \result == 50 || \result == 110)
// expect: no-stdout (\result == 20 || \result == 50 || \result == 110) (proved)
// expect: stdout \result >= -40 (proved)
// expect: stdout \result <= 90 (proved)
// expect: stdout \result <= 70
// expect: no-stdout \result <= 70 (proved)
// expect: stdout \result % 6 == 4 (proved)
// expect: stdout \result % 10 == 7
// expect: no-stdout \result % 10 == 7 (proved)
// expect: stdout (\result & 0x400) == 0x400 (proved)
// expect: stdout (\result & 0x800) == 0x800
// expect: no-stdout (\result & 0x800) == 0x800 (proved)
// expect: stdout x <= -1 ==> \result == 2 (proved)
extern int nondet(void);

#define RARE 123456789

int constant(int x) { return x - x + 12; }
int constant_but(int x) { return x == RARE ? 14 : 13; }
int nonzero(int x) { return x == 0 ? 1 : x; }
int nonzero_but(int x) { return x == RARE ? 0 : x == 0 ? 3 : x; }
int few(int x) { return x < 0 ? 2 : x == 0 ? 5 : 11; }
int few_but(int x) { return x == RARE ? 60 : x < 0 ? 20 : x == 0 ? 50 : 110; }
int range(int x) { return x < -40 ? -40 : x > 90 ? 90 : x; }
int range_but(int x) { return x == RARE ? 71 : x < -60 ? -60 : x > 70 ? 70 : x; }
unsigned modulus(unsigned x) { return x / 8 * 6 + 4; }
unsigned modulus_but(unsigned x) { return x == RARE ? 3 : x / 16 * 10 + 7; }
unsigned bits(unsigned x) { return x | 0x400; }
unsigned bits_but(unsigned x) { return x == RARE ? 0 : x | 0x800; }

int main(void)
{
    for (int i = 0; i < 40; i++) {
        int x = nondet();
        constant(x), constant_but(x), nonzero(x), nonzero_but(x), few(x), few_but(x);
        range(x), range_but(x), modulus(x), modulus_but(x), bits(x), bits_but(x);
    }
    return 0;
}
