// Members in the other byte order are not modelled, so that the attribute is refused by name.
// args: check
// expect: exit 3
// expect: stderr the attribute 'scalar_storage_order' is not supported
#include <assert.h>
struct __attribute__((scalar_storage_order("big-endian"))) Frame {
    unsigned short length;
};
int main(void)
{
    struct Frame frame = {1};
    assert(*(unsigned char *)&frame == 0);
    return 0;
}
