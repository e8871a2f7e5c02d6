// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// A driver hands addresses to a DMA controller as numbers.
#include <assert.h>
#include <stdint.h>
void dma_start(int channel, uintptr_t source, uintptr_t destination, unsigned length);
static const char message[4] = "abc";
static char received[4];

int main(void)
{
    received[0] = 'a';
    dma_start(1, (uintptr_t)message, (uintptr_t)received, sizeof received);
    assert(message[0] == 'a');
    assert(received[0] == 'a');
    return 0;
}
