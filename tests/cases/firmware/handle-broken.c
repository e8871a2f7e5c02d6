// args: check --engine bmc
// arch: 32
// expect: exit 1
// expect: last FALSE(unreach-call)
// Members that are volatile are memory, and registers are inputs.
#include <assert.h>
#include <stdint.h>
typedef struct {
    volatile uint32_t SR, DR;
} port;
typedef struct {
    port *registers;
    volatile uint32_t received;
} handle;
static handle first;

int main(void)
{
    first.registers = (port *)0x40004400u;
    handle *h = &first;
    for (int i = 0; i < 3; i++)
        if (h->registers->SR & 1u)
            h->received++;
    assert(h->received < 3);
    return 0;
}
