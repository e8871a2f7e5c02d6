// Records by value have the names and signs of their fields; a record as result is none that a summary can have.
//
// args: show summaries
// expect: stdout pick: auxiliary: i16 from i16 p.x, u8 p.y
// expect: stdout make: not auxiliary: its result is a structure or union
// expect: stdout mean: auxiliary: f64 from f32 a
#include <assert.h>
extern int in(void);
struct P { short x; unsigned char y; };
static short pick(struct P p) { return p.x < p.y ? p.x : p.y; }
static struct P make(int v) { struct P p = { (short)v, (unsigned char)(v >> 16) }; return p; }
static double mean(float a) { return a > 3 ? 1.0 : 2.0; }
int main(void)
{
    while (1) {
        struct P p = make(in());
        if (p.x > 3)
            assert(pick(p) != 77 || mean(in()) < 2.0);
    }
}
