// The definitions come first, then declarations that see them otherwise.
// args: check --engine bmc
// files: views-user.part
// expect: last TRUE
#include <assert.h>
int user(void);
long level = 5;
int scale(int *p) { return *p * 2; }
int main(void)
{
    assert(user() == 15);
    return 0;
}
