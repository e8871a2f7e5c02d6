// Nothing interrupts the only handler: any number of interrupts is a loop with an invariant.
// args: check --engine kind --isr receive
// expect: exit 0
// expect: last TRUE
#include <assert.h>
#define SIZE 10
static volatile unsigned char head, tail;
static unsigned char buffer[SIZE];
unsigned char device(void);

void receive(void)
{
    unsigned char next = head + 1;
    if (next == SIZE)
        next = 0;
    if (next != tail) {
        buffer[head] = device();
        head = next;
    }
}

static unsigned char get(void)
{
    unsigned char at = tail, data;
    if (head == at)
        return 0;
    data = buffer[at];
    at++;
    if (at == SIZE)
        at = 0;
    tail = at;
    return data;
}

int main(void)
{
    for (;;) {
        get();
        assert(head < SIZE && tail < SIZE);
    }
}
