// args: check --engine bmc
// expect: exit 0
// expect: stdout return arbitrary values, may change what their arguments reach
#include <assert.h>
#include <stdint.h>
void dma_start(int channel, uintptr_t source, unsigned length);
static char message[4] = "abc";
static int sent;

int main(void)
{
    const char *from = message;
    dma_start(sent, (uintptr_t)from, sizeof message);
    assert(message[0] == 'a' && sent == 0);
    return 0;
}
