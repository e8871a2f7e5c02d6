// A value of a bit-field's width has the size of the smallest machine integer that holds it.
// arch: 32 64
// gcc: yes
#include <stdio.h>
struct S {
    unsigned f : 9;
    int g : 5;
    unsigned long long h : 40;
    unsigned long long w : 17;
    _Bool b : 1;
    int whole : 32;
};
#define SIZE(e) printf("%d %d\n", (int)sizeof(e), (int)__alignof__(e))
#define KIND(e) printf("%d\n", _Generic((e), int: 1, unsigned: 2, unsigned long long: 3, unsigned short: 4, _Bool: 5, default: 0))
int main(void)
{
    struct S s = {0};
    SIZE(s.f = 1);
    SIZE(s.f += 1);
    SIZE(++s.f);
    SIZE(s.f++);
    SIZE((0, s.f));
    SIZE(({ s.f; }));
    SIZE(1 ? s.f : s.f);
    SIZE(+s.f);
    SIZE(s.g = 2);
    SIZE(s.w = 2);
    SIZE((0, s.h));
    SIZE(s.h + s.h);
    SIZE(s.b = 1);
    SIZE(s.whole = 1);
    KIND(s.f = 1);
    KIND((0, s.f));
    KIND(+s.f);
    KIND(1 ? s.f : s.f);
    KIND(s.h);
    KIND(s.whole);
    return 0;
}
