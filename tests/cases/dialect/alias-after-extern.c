// A variable that was declared before may turn out to be another name of one of the same file.
// args: check
// expect: exit 0
// expect: last TRUE
#include <assert.h>
extern int level;
int *place = &level;
int stored = 4;
extern int level __attribute__((alias("stored")));
int main(void)
{
    assert(level == 4 && place == &stored);
    level = 6;
    assert(stored == 6 && *place == 6);
    return 0;
}
