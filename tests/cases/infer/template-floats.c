// Floats, as in template-scalars.c: a comparison says nothing of a NaN.
//
// args: infer --prove
// expect: stdout \result >= -2.5 (proved)
// expect: stdout \result <= 7.25 (proved)
// expect: stdout \result <= 8.25
// expect: no-stdout \result <= 8.25 (proved)
extern double nondet_double(void);

double limit(double x) { return x < -2.5 ? -2.5 : x > 7.25 ? 7.25 : x == x ? x : 0.0; }
double limit_but(double x) { return x == 123456789.0 ? 9.0 : x < -3.5 ? -3.5 : x > 8.25 ? 8.25 : x == x ? x : 0.0; }

int main(void)
{
    for (int i = 0; i < 20; i++) {
        double x = nondet_double();
        limit(x), limit_but(x);
    }
    return 0;
}
