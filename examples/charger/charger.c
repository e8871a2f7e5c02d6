/* A charger for one lithium-ion cell.
 *
 * A deeply discharged cell is woken up with a small current; then it is charged with a constant current and, from 4.2 V
 * on, with a constant voltage until it takes almost nothing. Charging pauses while the cell is too hot or too cold. A
 * cell that is not full when the safety timer ends is broken, and so is one with too high a voltage.
 *
 * With -DBUG the program is as it was before a fix in begin(). */

#include "charger.h"

#define CELL_PRESENT   500u  /* mV: less is an open holder */
#define CELL_LOW       3000u
#define CELL_RECHARGE  4050u
#define CELL_FULL      4200u
#define CELL_TOO_HIGH  4300u

#define PRECHARGE_CURRENT 100u /* mA */
#define CHARGE_CURRENT    1000u
#define TAPER_CURRENT     50u
#define TAPER_TIME        5u   /* seconds */

#define DUTY_MAX       250u

struct charger charger;

static bool is_on(enum phase phase)
{
    return (phase == PRECHARGE) || (phase == CONSTANT_CURRENT) || (phase == CONSTANT_VOLTAGE);
}

static bool must_pause(int16_t celsius)
{
    return (celsius < 0) || (celsius > 45);
}

/* Some degrees apart from where it paused, so that it does not chatter. */
static bool may_start(int16_t celsius)
{
    return (celsius >= 3) && (celsius <= 40);
}

/* Begins a phase in which the converter works. */
static void begin(enum phase next)
{
    charger.phase = next;
    charger.taper = 0u;
#ifdef BUG
    charger.charging = 0u;
#endif
}

/* A new cell, or one that has lost some of its charge since it was full. */
static void begin_session(uint16_t millivolts)
{
    charger.precharging = 0u;
    charger.charging = 0u;
    begin((millivolts < CELL_LOW) ? PRECHARGE : CONSTANT_CURRENT);
}

/* Moves the duty cycle towards the target, one step a second. */
static void regulate(uint16_t measured, uint16_t target)
{
    if ((measured < target) && (charger.duty < DUTY_MAX)) {
        charger.duty++;
    } else if ((measured > target) && (charger.duty > 1u)) {
        charger.duty--;
    } else {
        /* at the target, or at the end of the range */
    }
}

static void step_precharge(const struct measurement *m)
{
    charger.precharging++;
    if (m->millivolts >= CELL_LOW) {
        begin(CONSTANT_CURRENT);
    } else if (charger.precharging >= PRECHARGE_LIMIT) {
        charger.phase = FAILED;
    } else {
        regulate(m->milliamperes, PRECHARGE_CURRENT);
    }
}

static void step_current(const struct measurement *m)
{
    if (m->millivolts >= CELL_FULL) {
        charger.phase = CONSTANT_VOLTAGE;
        charger.taper = 0u;
    } else {
        regulate(m->milliamperes, CHARGE_CURRENT);
    }
}

static void step_voltage(const struct measurement *m)
{
    if (m->milliamperes >= TAPER_CURRENT) {
        charger.taper = 0u;
    } else {
        charger.taper++;
    }
    if (charger.taper >= TAPER_TIME) {
        charger.phase = FULL;
    } else {
        regulate(m->millivolts, CELL_FULL);
    }
}

static void step_phase(const struct measurement *m)
{
    switch (charger.phase) {
    case NO_CELL:
        if (may_start(m->celsius)) {
            begin_session(m->millivolts);
        }
        break;
    case PRECHARGE:
        step_precharge(m);
        break;
    case CONSTANT_CURRENT:
        step_current(m);
        break;
    case CONSTANT_VOLTAGE:
        step_voltage(m);
        break;
    case PAUSED:
        if (may_start(m->celsius)) {
            begin(charger.paused);
        }
        break;
    case FULL:
        if ((m->millivolts < CELL_RECHARGE) && may_start(m->celsius)) {
            begin_session(m->millivolts);
        }
        break;
    case FAILED:
    default:
        /* until the cell is taken out */
        break;
    }
}

void charger_step(const struct measurement *m)
{
    if (m->millivolts < CELL_PRESENT) {
        charger.phase = NO_CELL;
    } else if (m->millivolts > CELL_TOO_HIGH) {
        charger.phase = FAILED;
    } else if (is_on(charger.phase) && (charger.charging >= CHARGE_LIMIT)) {
        charger.phase = FAILED;
    } else if (is_on(charger.phase) && must_pause(m->celsius)) {
        charger.paused = charger.phase;
        charger.phase = PAUSED;
    } else {
        step_phase(m);
    }
    if ((charger.phase == CONSTANT_CURRENT) || (charger.phase == CONSTANT_VOLTAGE)) {
        charger.charging++;
    }
    if (!is_on(charger.phase)) {
        charger.duty = 0u;
    } else if (charger.duty == 0u) {
        charger.duty = 1u;
    } else {
        /* regulated above */
    }
}
