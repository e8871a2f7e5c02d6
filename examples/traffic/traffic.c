/* A traffic light at a pedestrian crossing.
 *
 * One task, called every 100 ms. Cars have green until somebody presses the button and the cars have had their
 * shortest green; then amber, red, walk, and back. A button that is held down asks once: it must be released before it
 * can ask again, and one that is down for 20 seconds is taken for jammed and reported. At night the cars' amber flashes.
 *
 * With -DBUG the program is as it was before a fix in read_button(). */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* The crossing. */
extern bool button_is_down(void);
extern bool night_switch(void);
extern uint16_t lamp_current(void);     /* mA through the red lamp of the cars */
extern void write_lamps(uint8_t lamps); /* LAMP_* bits */

#define LAMP_CARS_RED   0x01u
#define LAMP_CARS_AMBER 0x02u
#define LAMP_CARS_GREEN 0x04u
#define LAMP_WALK       0x08u
#define LAMP_DONT_WALK  0x10u

/* Times, in ticks. */
#define MIN_GREEN    100u
#define AMBER        30u
#define ALL_RED      20u
#define WALK         80u
#define CLEARING     50u
#define FLASH        5u
#define DEBOUNCE     4u
#define JAMMED       200u
#define DARK_LIMIT   8u  /* red lamp without current: it is broken */
#define DARK_CURRENT 40u /* mA */

enum phase { CARS_GREEN, CARS_AMBER, RED_BEFORE, PEDESTRIANS, RED_AFTER, CARS_RED_AMBER, NIGHT, BROKEN };

struct button {
    uint8_t down; /* ticks for which it has been down, up to JAMMED */
    bool jammed;
};

struct crossing {
    enum phase phase;
    uint16_t time; /* in this phase */
    bool waiting;  /* somebody has asked */
    uint8_t dark;  /* ticks for which the red lamp has had no current */
    uint8_t lamps;
};

static struct button button;
static struct crossing crossing = { CARS_GREEN, 0u, false, 0u, LAMP_CARS_GREEN | LAMP_DONT_WALK };

/* Whether somebody asks to cross in this tick. */
static bool read_button(bool down)
{
    bool asks = false;

    if (!down) {
        button.down = 0u;
        button.jammed = false;
    } else {
#ifdef BUG
        button.down++;
#else
        if (button.down < JAMMED) {
            button.down++;
        }
#endif
        if (button.down == DEBOUNCE) {
            asks = true;
        } else if (button.down >= JAMMED) {
            button.jammed = true;
        } else {
            /* not long enough, or counted already */
        }
    }
    return asks;
}

static void enter(enum phase next)
{
    crossing.phase = next;
    crossing.time = 0u;
}

static bool is_over(uint16_t duration)
{
    return crossing.time >= duration;
}

static uint8_t lamps_of(enum phase phase, uint16_t time)
{
    const bool blink = ((time / FLASH) % 2u) == 0u;
    uint8_t lamps;

    switch (phase) {
    case CARS_GREEN:
        lamps = LAMP_CARS_GREEN | LAMP_DONT_WALK;
        break;
    case CARS_AMBER:
        lamps = LAMP_CARS_AMBER | LAMP_DONT_WALK;
        break;
    case PEDESTRIANS:
        lamps = LAMP_CARS_RED | LAMP_WALK;
        break;
    case CARS_RED_AMBER:
        lamps = LAMP_CARS_RED | LAMP_CARS_AMBER | LAMP_DONT_WALK;
        break;
    case NIGHT:
    case BROKEN:
        lamps = blink ? LAMP_CARS_AMBER : 0u;
        break;
    case RED_BEFORE:
    case RED_AFTER:
    default:
        lamps = LAMP_CARS_RED | LAMP_DONT_WALK;
        break;
    }
    return lamps;
}

/* A red lamp that is on draws current. */
static void watch_red_lamp(uint16_t current)
{
    if (((crossing.lamps & LAMP_CARS_RED) == 0u) || (current >= DARK_CURRENT)) {
        crossing.dark = 0u;
    } else if (crossing.dark < DARK_LIMIT) {
        crossing.dark++;
    } else {
        enter(BROKEN);
    }
}

static void step(bool asks, bool night)
{
    if (asks) {
        crossing.waiting = true;
    }
    if (crossing.time < UINT16_MAX) {
        crossing.time++;
    }
    switch (crossing.phase) {
    case CARS_GREEN:
        if (night) {
            enter(NIGHT);
        } else if (crossing.waiting && is_over(MIN_GREEN)) {
            enter(CARS_AMBER);
        } else {
            /* stay green */
        }
        break;
    case CARS_AMBER:
        if (is_over(AMBER)) {
            enter(RED_BEFORE);
        }
        break;
    case RED_BEFORE:
        if (is_over(ALL_RED)) {
            crossing.waiting = false;
            enter(PEDESTRIANS);
        }
        break;
    case PEDESTRIANS:
        if (is_over(WALK)) {
            enter(RED_AFTER);
        }
        break;
    case RED_AFTER:
        if (is_over(CLEARING)) {
            enter(CARS_RED_AMBER);
        }
        break;
    case CARS_RED_AMBER:
        if (is_over(ALL_RED)) {
            enter(CARS_GREEN);
        }
        break;
    case NIGHT:
        if (!night) {
            crossing.waiting = false;
            enter(RED_AFTER);
        }
        break;
    case BROKEN:
    default:
        /* until somebody repairs it */
        break;
    }
    crossing.lamps = lamps_of(crossing.phase, crossing.time);
}

/* What must hold at every tick. */
static void monitor(bool down, bool asks, uint8_t before)
{
    static uint8_t asked; /* requests since the button was last up */
    static uint8_t since_green = UINT8_MAX;

    /* Who stands on the button does not stop the cars over and over again. */
    if (!down) {
        asked = 0u;
    } else if (asks) {
        asked++;
    } else {
        /* still down */
    }
    assert(asked <= 1u);

    /* Nobody walks while cars may drive, nor within three seconds of their green. */
    if ((before & LAMP_CARS_GREEN) != 0u) {
        since_green = 0u;
    } else if (since_green < UINT8_MAX) {
        since_green++;
    } else {
        /* long ago */
    }
    if ((crossing.lamps & LAMP_WALK) != 0u) {
        assert((crossing.lamps & (LAMP_CARS_GREEN | LAMP_CARS_AMBER)) == 0u);
        assert(since_green >= AMBER);
    }

    /* Cars do not jump from green to red. */
    assert(((before & LAMP_CARS_GREEN) == 0u) || ((crossing.lamps & LAMP_CARS_RED) == 0u));
}

int main(void)
{
    for (;;) {
        const uint8_t before = crossing.lamps;
        const bool down = button_is_down();
        const bool asks = read_button(down);

        watch_red_lamp(lamp_current());
        step(asks, night_switch());
        write_lamps(crossing.lamps);
        monitor(down, asks, before);
    }
}
