// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `frame.length == 3` does not hold
#include <assert.h>
struct frame {
    int length;
    unsigned char data[8];
};
void receive(unsigned char *byte);
static struct frame frame = {3, {0}};

int main(void)
{
    receive(&frame.data[2]);
    assert(frame.length == 3);
    return 0;
}
