// Each template of several values, as in template-scalars.c: linear relations of two and three variables, orderings, equal bits,
// values at the entry, and what holds under conditions.
//
// args: infer --prove
// expect: stdout 3 * x + 7 == \result (proved)
// expect: stdout 5 * x + 9 == \result
// expect: no-stdout 5 * x + 9 == \result (proved)
// expect: stdout 2 * a + 3 * b + 1 == sum (proved)
// expect: stdout 4 * a + 2 == 7 * b + difference
// expect: no-stdout 4 * a + 2 == 7 * b + difference (proved)
// expect: stdout a <= \result (proved)
// expect: stdout (a == \result || b == \result) (proved)
// expect: stdout a < b ==> b == \result (proved)
// expect: stdout (c == \result || d == \result)
// expect: no-stdout (c == \result || d == \result) (proved)
// expect: stdout (y & 0xff00ff) == (\result & 0xff00ff) (proved)
// expect: stdout (z & 0xff00ff) == (\result & 0xff00ff)
// expect: no-stdout (z & 0xff00ff) == (\result & 0xff00ff) (proved)
// expect: stdout \old(left) == right (proved)
// expect: stdout \old(front) == back
// expect: no-stdout \old(front) == back (proved)
extern int nondet(void);
extern unsigned char nondet_byte(void);

#define RARE 123456789

unsigned linear(unsigned char x) { return 3u * x + 7; }
unsigned linear_but(unsigned char x, int rare) { return rare == RARE ? 8 : 5u * x + 9; }

int sum, difference;
void plane(unsigned char a, unsigned char b) { sum = 2 * a + 3 * b + 1; }
void plane_but(unsigned char a, unsigned char b, int rare) { difference = rare == RARE ? 0 : 4 * a - 7 * b + 2; }

int larger(int a, int b) { return a > b ? a : b; }
int larger_but(int c, int d) { return c == RARE ? 0 : c > d ? c : d; }

unsigned mix(unsigned x, unsigned y) { return (x & 0xff00) | (y & 0xff00ff); }
unsigned mix_but(unsigned x, unsigned z) { return x == RARE ? 0 : (x & 0xff00) | (z & 0xff00ff); }

int left, right, front, back;
void exchange(void) { int old = left; left = right, right = old; }
void exchange_but(int rare) { int old = front; front = back, back = rare == RARE ? 0 : old; }

int main(void)
{
    for (int i = 0; i < 40; i++) {
        int a = nondet(), b = nondet(), rare = nondet();
        unsigned char x = nondet_byte(), y = nondet_byte();
        linear(x), linear_but(x, rare), plane(x, y), plane_but(x, y, rare);
        larger(a, b), larger_but(a, b), mix(a, b), mix_but(a, b);
        left = front = a, right = back = b, exchange(), exchange_but(rare);
    }
    return 0;
}
