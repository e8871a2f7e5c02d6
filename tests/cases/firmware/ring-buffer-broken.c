// args: check --engine simulate
// arch: avr
// expect: exit 1
// expect: last FALSE(unreach-call)
// The last place of the buffer is used.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef unsigned char uint8_t;
#define REGISTER(address) (*(volatile uint8_t *)(address))
#define UDR0 REGISTER(0xC6)
#define UCSR0B REGISTER(0xC1)
#define SREG REGISTER(0x5F)
#define sei() __asm__ __volatile__("sei" ::: "memory")
#define cli() __asm__ __volatile__("cli" ::: "memory")
#define SIZE 24
static uint8_t buffer[SIZE];
static uint8_t head;
static volatile uint8_t tail;

static void on_receive(void)
{
    uint8_t data = UDR0;
    uint8_t next = head + 1;
    if (next == SIZE)
        next = 0;
    if (data < 0x80 && next != tail) {
        buffer[head] = data;
        head = next;
    }
}

static uint8_t receive(void)
{
    uint8_t at = tail;
    if (head == at)
        return 0xFF;
    uint8_t data = buffer[at];
    at++;
    tail = at == SIZE ? 0 : at;
    return data;
}

static void forget(void)
{
    uint8_t saved = SREG;
    cli();
    tail = head;
    SREG = saved;
}

int main(void)
{
    UCSR0B |= 1 << 4;
    sei();
    for (;;) {
        switch (__VERIFIER_nondet_int()) {
        case 0: on_receive(); break;
        case 1: (void)receive(); break;
        case 2: forget(); break;
        }
        if (head >= SIZE - 1 || tail >= SIZE)
            reach_error();
    }
}
