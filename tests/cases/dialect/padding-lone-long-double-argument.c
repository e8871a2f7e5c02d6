// What lies behind the `long double` of a structure does not come along with an argument.
// args: check --engine bmc
// expect: exit 1
#include <assert.h>
#include <string.h>
struct lone { long double value; };
static struct lone source;
static int behind(struct lone argument) { return ((unsigned char *)&argument)[12]; }
int main(void) {
    memset(&source, 0x55, sizeof source);
    assert(behind(source) == 0x55);
    return 0;
}
