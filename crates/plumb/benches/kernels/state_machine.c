/* A protocol receiver as firmware has it: framing, escapes, checksums, timers and a mode automaton, fed byte by byte. */

#define STEPS 30000000

int printf(const char *, ...);

typedef unsigned char u8;
typedef unsigned short u16;

enum state { IDLE, LENGTH, COMMAND, PAYLOAD, ESCAPED, CHECK_LOW, CHECK_HIGH, FAILED };
enum mode { OFF, STARTING, RUNNING, LIMITED, STOPPING };

struct receiver {
    enum state state;
    u8 length, received, command;
    u16 check;
    u8 payload[32];
    unsigned frames, errors;
};

struct controller {
    enum mode mode;
    short speed, target;
    u8 timer;
    unsigned transitions : 20;
    unsigned limited : 1;
};

static struct receiver rx;
static struct controller motor;

static void execute(struct receiver *r, struct controller *m)
{
    switch (r->command & 7) {
    case 0:
        if (m->mode == OFF)
            m->mode = STARTING;
        break;
    case 1:
        m->target = (short)(r->payload[0] | r->payload[1] << 8) % 1000;
        break;
    case 2:
        m->limited = r->payload[0] & 1;
        break;
    case 3:
        if (m->mode == RUNNING || m->mode == LIMITED)
            m->mode = STOPPING;
        break;
    default:
        r->errors++;
        break;
    }
}

static void receive(struct receiver *r, struct controller *m, u8 byte)
{
    switch (r->state) {
    case IDLE:
        if (byte == 0x7e)
            r->state = LENGTH;
        break;
    case LENGTH:
        r->length = byte & 31;
        r->received = 0;
        r->check = byte;
        r->state = COMMAND;
        break;
    case COMMAND:
        r->command = byte;
        r->check = (u16)(r->check * 3 + byte);
        r->state = r->length ? PAYLOAD : CHECK_LOW;
        break;
    case PAYLOAD:
        if (byte == 0x7d) {
            r->state = ESCAPED;
            break;
        }
        /* fall through */
    case ESCAPED:
        r->payload[r->received++] = r->state == ESCAPED ? byte ^ 0x20 : byte;
        r->check = (u16)(r->check * 3 + byte);
        r->state = r->received < r->length ? PAYLOAD : CHECK_LOW;
        break;
    case CHECK_LOW:
        r->state = ((byte ^ r->check) & 3) == 0 ? CHECK_HIGH : FAILED;
        break;
    case CHECK_HIGH:
        r->frames++;
        execute(r, m);
        r->state = IDLE;
        break;
    case FAILED:
        r->errors++;
        r->state = IDLE;
        break;
    }
}

static void control(struct controller *m)
{
    enum mode before = m->mode;
    switch (m->mode) {
    case OFF:
        m->speed = 0;
        break;
    case STARTING:
        if (++m->timer > 20) {
            m->timer = 0;
            m->mode = RUNNING;
        }
        break;
    case RUNNING:
        m->speed += m->speed < m->target ? 1 : m->speed > m->target ? -1 : 0;
        if (m->limited)
            m->mode = LIMITED;
        break;
    case LIMITED:
        if (m->speed > 100)
            m->speed -= 2;
        if (!m->limited)
            m->mode = RUNNING;
        break;
    case STOPPING:
        m->speed /= 2;
        if (m->speed == 0)
            m->mode = OFF;
        break;
    }
    if (m->mode != before)
        m->transitions++;
}

int main(void)
{
    unsigned random = 1, sum = 0;
    for (int i = 0; i < STEPS; i++) {
        random = random * 1103515245u + 12345u;
        u8 byte = (u8)(random >> 16);
        if ((random >> 28) == 3)
            byte = 0x7e;
        receive(&rx, &motor, byte);
        if ((i & 3) == 0)
            control(&motor);
        sum = sum * 33 + (unsigned)motor.speed + rx.state;
    }
    printf("checksum %x frames %u errors %u transitions %u\n", sum, rx.frames, rx.errors, (unsigned)motor.transitions);
    return 0;
}
