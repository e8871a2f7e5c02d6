/* A charger for one lithium-ion cell: what its parts know of each other. */

#ifndef CHARGER_H
#define CHARGER_H

#include <stdbool.h>
#include <stdint.h>

enum phase { NO_CELL, PRECHARGE, CONSTANT_CURRENT, CONSTANT_VOLTAGE, PAUSED, FULL, FAILED };

struct measurement {
    uint16_t millivolts;
    uint16_t milliamperes;
    int16_t celsius;
};

struct charger {
    enum phase phase;
    enum phase paused; /* the phase that too much heat or cold interrupted */
    uint16_t precharging;
    uint16_t charging; /* the safety timer: seconds of constant current and voltage */
    uint8_t taper;     /* seconds for which the cell has taken almost nothing */
    uint8_t duty;      /* of the converter; 0: off */
};

/* Times, in seconds. */
#define PRECHARGE_LIMIT 300u
#define CHARGE_LIMIT    900u

extern struct charger charger;

/* Once a second. */
void charger_step(const struct measurement *m);

#endif
