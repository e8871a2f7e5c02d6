// args: check --engine kind
// arch: 32
// expect: exit 0
// expect: stdout writes there change no memory, and no object lies there: 0x40004400..0x4000440c
// expect: last TRUE
// A driver's handle: a pointer to registers and volatile members of its own, which lie in memory.
#include <assert.h>
#include <stdint.h>
typedef struct {
    volatile uint32_t SR, DR, CR1;
} port;
#define PORT2 ((port *)0x40004400u)
typedef struct {
    port *registers;
    volatile uint32_t received;
    volatile uint8_t state;
} handle;
static handle first;

static void receive(handle *h)
{
    if (h->registers->SR & 0x20u) {
        (void)h->registers->DR;
        h->received++;
    }
    h->state = h->received > 10;
}

int main(void)
{
    first.registers = PORT2;
    for (;;) {
        receive(&first);
        if (first.state)
            first.received = 0;
        assert(first.received <= 10);
    }
}
