// gcc: yes
// expect: stdout 999999999999999.88
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const texts[] = {
    "999999999999999.9", "9007199254740993", "9007199254740992.999999999", "9007199254740993.0000000001", "0.1", "1e23",
    "8.98846567431158e307", "1.7976931348623157e308", "1.7976931348623159e308", "4.9406564584124654e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1e-330",
    "1e400", "123456789012345678901234567890", "3.14159265358979323846", "0.000001", "16777217", "16777219e10", "7.0e-45",
    "1.1754943e-38", "3.4028236e38", "-1e-400", "  +12.5e2x", "1e", "1e+", ".5", "5.", ".", "-", "inf", "-Infinityx", "infin",
    "nan", "NAN()", "0x", "00012.3400", "1e0000000000001", "0e99999", "1.00000005960464477539", "1.000000059604644775390626",
};

int main(void)
{
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        double d;
        float f;
        long double l;
        errno = 0;
        d = strtod(texts[i], &end);
        printf("%s: %.17g %d '%s'", texts[i], d, errno, end);
        errno = 0;
        f = strtof(texts[i], &end);
        printf(" %.9g %d", (double)f, errno);
        if (i != 14 && i != 15 && i != 24) {
            l = strtold(texts[i], &end);
            printf(" %.17g", (double)l);
            if (l == l && l < 1e300L)
                printf(" %.17g", (double)((l - (double)l) * 1e15L));
        }
        printf("\n");
    }
    {
        float f;
        double d;
        int count = sscanf("1.000000059604644775390626 9007199254740993", "%f %lf", &f, &d);
        printf("%d %.9g %.17g\n", count, (double)f, d);
    }
    return 0;
}
