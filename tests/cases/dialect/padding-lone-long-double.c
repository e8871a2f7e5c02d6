// A structure whose only member is a `long double` is copied like one: what lies behind the value stays.
// args: check --engine bmc
// expect: exit 0
#include <assert.h>
#include <string.h>
struct lone { long double value[1]; };
static struct lone source;
static struct lone get(void) { return source; }
int main(void) {
    struct lone copy;
    memset(&source, 0x55, sizeof source);
    memset(&copy, 0x11, sizeof copy);
    copy = source;
    assert(((unsigned char *)&copy)[9] == 0x55 && ((unsigned char *)&copy)[10] == 0x11);
    copy = get();
    assert(((unsigned char *)&copy)[15] == 0x11);
    return 0;
}
