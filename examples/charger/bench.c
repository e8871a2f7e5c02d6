/* The charger on a test bench: any cell, any temperature, and a stop watch that trusts nobody. */

#include "charger.h"

#include <assert.h>

#define ADC_MAX 0x3ffu

/* The converter, one function for each of its channels: ten bits. */
extern uint16_t adc_voltage(void);
extern uint16_t adc_current(void);
extern uint16_t adc_temperature(void);

extern void __VERIFIER_assume(int condition);

static uint16_t ten_bits(uint16_t reading)
{
    __VERIFIER_assume(reading <= ADC_MAX);
    return reading;
}

static struct measurement measure(void)
{
    struct measurement m;

    m.millivolts = (uint16_t)(ten_bits(adc_voltage()) * 5u);
    m.milliamperes = (uint16_t)(ten_bits(adc_current()) * 2u);
    m.celsius = (int16_t)((int16_t)(ten_bits(adc_temperature()) / 8u) - 20);
    return m;
}

static void monitor(const struct measurement *m)
{
    static uint16_t seconds; /* of charging, for this cell */

    /* A cell gets no current while it is too hot, too cold, absent or at too high a voltage. */
    if (charger.duty != 0u) {
        assert((m->celsius >= 0) && (m->celsius <= 45));
        assert((m->millivolts >= 500u) && (m->millivolts <= 4300u));
    }

    /* A cell that is not full after so long is not charged any more. */
    if ((charger.phase == NO_CELL) || (charger.phase == FULL)) {
        seconds = 0u;
    } else if ((charger.phase == CONSTANT_CURRENT) || (charger.phase == CONSTANT_VOLTAGE)) {
        seconds++;
        assert(seconds <= CHARGE_LIMIT);
    } else {
        /* no time passes */
    }
}

int main(void)
{
    for (;;) {
        const struct measurement m = measure();

        charger_step(&m);
        monitor(&m);
    }
}
