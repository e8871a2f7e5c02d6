// The handler wraps the head between two reads of it.
// args: check --engine simulate --isr receive
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
#define SIZE 10
static volatile unsigned char head, tail;

void receive(void)
{
    unsigned char next = head + 1;
    if (next == SIZE)
        next = 0;
    if (next != tail)
        head = next;
}

static unsigned char get(void)
{
    unsigned char at = tail;
    if (head != at)
        tail = at + 1 == SIZE ? 0 : at + 1;
    return at;
}

static unsigned char used(void)
{
    unsigned char from = tail;
    if (head >= from)
        return head - from;
    return SIZE - (from - head);
}

int main(void)
{
    for (;;) {
        get();
        assert(used() < SIZE);
    }
}
