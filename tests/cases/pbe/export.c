// Summaries as C, in files of their own. With one thread the original is searched first and for a moment only.
//
// args: check --engine pbe --no-cache --threads 1 --unwind 3 --summaries {tmp}/made --stats --timeout 60
// expect: exit 1
// expect: last FALSE(unreach-call)
// expect: file made/mode.summary.c The function returns 0 to 2 in its program; other results are assumed away.
// expect: file made/level.summary.c unsigned int level_summary(unsigned int x)
// expect: file made/level.summary.c A summary of `level`, made from examples: neither sound nor complete.
// expect: stdout found by summaries 1
#include <assert.h>
extern unsigned read_sensor(void);
extern unsigned read_code(void);

unsigned level(unsigned x)
{
    unsigned n = 0;
    while (x >= 1000) {
        x -= 1000;
        n++;
    }
    return n;
}

unsigned mode(unsigned x)
{
    if (x < 30)
        return 0;
    return x < 50 ? 1 : 2;
}

int main(void)
{
    while (1) {
        unsigned x = read_sensor() & 0xffff;
        assert(!(level(x) == 60 && mode(read_code()) == 1 && x % 7 == 3));
    }
}
