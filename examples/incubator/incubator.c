/* The heater of an incubator: a controller with hysteresis, a door interlock and a watchdog on its sensor.
 *
 * Temperatures are in tenths of a degree, as the converter delivers them: 10 bits, 0 to 1023. */

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

extern uint16_t __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);

enum state { IDLE, HEATING, DOOR_OPEN, SENSOR_FAULT };

#define TARGET 375u
#define BAND 5u
#define STUCK_LIMIT 8u
#define TICKS 100

struct controller {
    enum state state;
    uint16_t last;
    uint8_t stuck : 4;
    uint8_t heater : 1;
};

struct statistics {
    uint32_t ticks_heating;
    uint32_t doors;
};

static struct controller ctl = { .state = IDLE, .last = 0xffff };
static struct statistics stats;

/* The average of the last four samples: the converter is noisy. */
static uint16_t filtered(uint16_t sample)
{
    static uint16_t window[4];
    static unsigned next;
    uint32_t sum = 0;
    window[next % 4] = sample;
    next++;
    for (int i = 0; i < 4; i++)
        sum += window[i];
    return (uint16_t)(sum / 4);
}

/* A sensor that reports the very same value for long is broken. */
static int sensor_is_stuck(struct controller *c, uint16_t sample)
{
    if (sample != c->last)
        c->stuck = 0;
    else if (c->stuck < STUCK_LIMIT)
        c->stuck++;
    c->last = sample;
    return c->stuck >= STUCK_LIMIT;
}

static void step(struct controller *c, uint16_t sample, _Bool door)
{
    uint16_t t = filtered(sample);
    if (sensor_is_stuck(c, sample)) {
        c->state = SENSOR_FAULT;
    } else if (door) {
        if (c->state != DOOR_OPEN)
            stats.doors++;
        c->state = DOOR_OPEN;
    } else {
        switch (c->state) {
        case HEATING:
            if (t > TARGET + BAND)
                c->state = IDLE;
            break;
        case IDLE:
        case DOOR_OPEN:
            c->state = t < TARGET - BAND ? HEATING : IDLE;
            break;
        case SENSOR_FAULT:
            break; /* only a reset leaves this state */
        }
    }
    c->heater = c->state == HEATING;
    if (c->heater)
        stats.ticks_heating++;
}

int main(void)
{
    for (int tick = 0; tick < TICKS; tick++) {
        uint16_t sample = __VERIFIER_nondet_ushort() & 0x3ff;
        _Bool door = __VERIFIER_nondet_bool();
        step(&ctl, sample, door);
        assert(!(ctl.heater && door));
        assert(!(ctl.heater && ctl.stuck >= STUCK_LIMIT));
    }
    printf("heated for %u of %d ticks, door opened %u times\n", stats.ticks_heating, TICKS, stats.doors);
    return 0;
}
