/* An elevator for a house of six floors.
 *
 * One task, called every 100 ms. Calls from the cabin and from the halls are kept in one set and served on the way: the
 * cabin keeps its direction while there are calls ahead. A cabin that nobody has called for a minute goes down to the
 * ground floor and waits there.
 *
 * With -DBUG the program is as it was before a fix in park(). */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* The house. */
extern uint8_t cabin_buttons(void); /* one bit per floor, as the contacts are now */
extern uint8_t hall_buttons(void);
extern bool floor_mark(void);       /* the cabin has come to the next floor */
extern bool light_barrier(void);    /* something is in the door */
extern bool overload(void);

#define FLOORS        6u
#define ALL_FLOORS    0x3fu
#define GROUND        0u
#define FLOOR_BIT(f)  ((uint8_t)(1u << (f)))

/* Times, in ticks. */
#define DOOR_TIME     12u  /* from closed to open */
#define OPEN_TIME     40u
#define TRAVEL_LIMIT  80u  /* from floor to floor; more means that the rope slips */
#define PARK_TIME     600u

enum phase { IDLE, MOVING, OPENING, OPEN, CLOSING, OUT_OF_ORDER };

enum direction { DOWN, UP };

struct cabin {
    enum phase phase;
    enum direction direction;
    uint8_t floor;
    uint8_t door;  /* 0: closed, DOOR_TIME: open */
    uint8_t calls; /* floors that are waiting: the lamps in the buttons */
    uint16_t time; /* in this phase */
};

struct sample {
    uint8_t pressed;
    bool mark;
    bool blocked;
    bool overload;
};

static struct cabin cabin;

static struct sample read_house(void)
{
    struct sample s;

    s.pressed = (uint8_t)((cabin_buttons() | hall_buttons()) & ALL_FLOORS);
    s.mark = floor_mark();
    s.blocked = light_barrier();
    s.overload = overload();
    return s;
}

static void enter(enum phase next)
{
    cabin.phase = next;
    cabin.time = 0u;
}

static bool is_called(uint8_t floor)
{
    return (cabin.calls & FLOOR_BIT(floor)) != 0u;
}

static bool calls_ahead(enum direction direction)
{
    const uint8_t below = (uint8_t)(FLOOR_BIT(cabin.floor) - 1u);
    const uint8_t above = (uint8_t)(ALL_FLOORS & (uint8_t)~(below | FLOOR_BIT(cabin.floor)));

    return (cabin.calls & ((direction == UP) ? above : below)) != 0u;
}

/* Somebody is waiting somewhere. */
static void depart(void)
{
    if (is_called(cabin.floor)) {
        enter(OPENING);
    } else {
        if (!calls_ahead(cabin.direction)) {
            cabin.direction = (cabin.direction == UP) ? DOWN : UP;
        }
        enter(MOVING);
    }
}

/* Nobody has called for long: wait where most people come in. */
static void park(void)
{
#ifdef BUG
    cabin.calls = FLOOR_BIT(GROUND);
#else
    cabin.calls |= FLOOR_BIT(GROUND);
#endif
}

static void step_idle(void)
{
    if ((cabin.time >= PARK_TIME) && (cabin.floor != GROUND)) {
        park();
    }
    if (cabin.calls != 0u) {
        depart();
    }
}

static void step_moving(bool mark)
{
    if (mark) {
        cabin.floor = (uint8_t)((cabin.direction == UP) ? (cabin.floor + 1u) : (cabin.floor - 1u));
        cabin.time = 0u;
        if (is_called(cabin.floor)) {
            enter(OPENING);
        }
    } else if (cabin.time >= TRAVEL_LIMIT) {
        cabin.calls = 0u;
        enter(OUT_OF_ORDER);
    } else {
        /* on the way */
    }
}

static void step_opening(void)
{
    if (cabin.door < DOOR_TIME) {
        cabin.door++;
    } else {
        cabin.calls &= (uint8_t)~FLOOR_BIT(cabin.floor);
        enter(OPEN);
    }
}

static void step_open(const struct sample *s)
{
    cabin.calls &= (uint8_t)~FLOOR_BIT(cabin.floor);
    if (s->blocked || s->overload) {
        cabin.time = 0u;
    } else if (cabin.time >= OPEN_TIME) {
        enter(CLOSING);
    } else {
        /* people get in and out */
    }
}

static void step_closing(const struct sample *s)
{
    if (s->blocked || is_called(cabin.floor)) {
        enter(OPENING);
    } else if (cabin.door > 0u) {
        cabin.door--;
    } else {
        enter(IDLE);
    }
}

static void step(const struct sample *s)
{
    if (cabin.phase != OUT_OF_ORDER) {
        cabin.calls |= s->pressed;
    }
    if (cabin.time < UINT16_MAX) {
        cabin.time++;
    }
    switch (cabin.phase) {
    case IDLE:
        step_idle();
        break;
    case MOVING:
        step_moving(s->mark);
        break;
    case OPENING:
        step_opening();
        break;
    case OPEN:
        step_open(s);
        break;
    case CLOSING:
        step_closing(s);
        break;
    case OUT_OF_ORDER:
    default:
        /* until somebody repairs it */
        break;
    }
}

/* What the passengers may rely on. */
static void monitor(uint8_t lamps, uint8_t pressed)
{
    /* The cabin moves with its door closed, and stays in its shaft. */
    assert((cabin.phase != MOVING) || (cabin.door == 0u));
    assert(cabin.floor < FLOORS);
    if (cabin.phase == MOVING) {
        assert((cabin.direction == UP) ? (cabin.floor < (FLOORS - 1u)) : (cabin.floor > GROUND));
    }

    /* A call is forgotten only when the door is open on its floor. */
    if (cabin.phase != OUT_OF_ORDER) {
        const uint8_t gone = (uint8_t)((lamps | pressed) & (uint8_t)~cabin.calls);

        assert((gone == 0u) || ((gone == FLOOR_BIT(cabin.floor)) && (cabin.door == DOOR_TIME)));
    }
}

int main(void)
{
    for (;;) {
        const uint8_t lamps = cabin.calls;
        const struct sample s = read_house();

        step(&s);
        monitor(lamps, s.pressed);
    }
}
