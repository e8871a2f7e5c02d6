// The order that every machine here has anyway.
// gcc: yes
#include <stdio.h>
#pragma scalar_storage_order little-endian
struct __attribute__((scalar_storage_order("little-endian"))) Frame {
    unsigned short length;
};
int main(void)
{
    struct Frame frame = {1};
    printf("%d\n", *(unsigned char *)&frame);
    return 0;
}
