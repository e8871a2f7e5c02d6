// args: run
// expect: exit 0
// gcc: yes
#include <math.h>
#include <stdio.h>

/* Values that the compiler cannot know. */
static volatile double xs[] = {0.1, 1.0, 2.5, -3.75, 1e3, 0.999};

int main(void)
{
    for (unsigned i = 0; i < sizeof xs / sizeof xs[0]; i++) {
        double x = xs[i];
        printf("%a %a %a %a\n", sin(x), cos(x), tan(x), atan(x));
        printf("%a %a %a\n", exp(x / 10), pow(fabs(x), 1.5), hypot(x, 2));
        printf("%a %a\n", log(fabs(x)), log10(fabs(x)));
        printf("%a %a\n", (double)sinf((float)x), (double)powf(2.0f, (float)(x / 100)));
        printf("%a %a\n", tanh(x), atan2(x, -2.0));
        printf("%a %a %a\n", erf(x), erfc(x), tgamma(fabs(x) / 100));
        printf("%a %a %a\n", lgamma(fabs(x)), asinh(x), acosh(fabs(x) + 1));
        printf("%a %a\n", atanh(x / 1001), (double)erff((float)x));
    }
    return 0;
}
