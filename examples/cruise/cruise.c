/* Cruise control of a car.
 *
 * One task, called every 20 ms. The driver switches the system on, takes over the present speed with SET, leaves with
 * CANCEL or the brake, and comes back to the old speed with RESUME. He may overtake at any time: while he presses the
 * accelerator the controller waits, and when he releases it the old speed is held again. Whoever presses it for ten
 * seconds on end drives by himself: then the system stands by.
 *
 * With -DBUG the program is as it was before a fix in take_over(). */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* The car. */
extern uint8_t car_speed(void);       /* wheel sensor, km/h */
extern uint8_t car_lever(void);       /* LEVER_* bits, as the contacts are now */
extern uint8_t car_accelerator(void); /* pedal, 0 to 200 half per cent */
extern bool car_brake(void);

extern void __VERIFIER_assume(int condition);

#define LEVER_ON     0x01u
#define LEVER_SET    0x02u
#define LEVER_RESUME 0x04u
#define LEVER_CANCEL 0x08u
#define LEVER_MASK   0x0fu

#define SPEED_MIN       40u  /* km/h, for switching on and staying on */
#define SPEED_MAX       180u
#define SPEED_SLOPE     2u   /* what a car can gain or lose in 20 ms, and then some */
#define PEDAL_PRESSED   20u  /* half per cent: less is the weight of a foot */
#define OVERTAKE_LIMIT  500u /* ticks: ten seconds */
#define DEBOUNCE        3u   /* ticks that a contact must be quiet */
#define THROTTLE_MAX    200
#define INTEGRAL_MAX    1600

enum mode { MODE_OFF, MODE_STANDBY, MODE_ACTIVE, MODE_OVERTAKING };

/* Why the controller let go. */
enum reason { REASON_NONE, REASON_SWITCH, REASON_BRAKE, REASON_LEVER, REASON_SPEED, REASON_OVERTAKING };

struct lever {
    uint8_t raw;    /* last sample */
    uint8_t quiet;  /* ticks for which it has been the same */
    uint8_t state;  /* contacts, debounced */
    uint8_t pushed; /* contacts that closed in this tick */
};

struct cruise {
    enum mode mode;
    enum reason reason;
    uint8_t target; /* km/h; 0: none set yet */
    uint16_t overtaking;
    int16_t integral;
    int16_t throttle;
};

struct sample {
    uint8_t speed;
    uint8_t accelerator;
    bool brake;
};

static struct lever lever;
static struct cruise cruise;
static uint8_t last_speed;

static void read_lever(void)
{
    const uint8_t raw = car_lever() & LEVER_MASK;
    const uint8_t before = lever.state;

    if (raw != lever.raw) {
        lever.raw = raw;
        lever.quiet = 0u;
    } else if (lever.quiet < DEBOUNCE) {
        lever.quiet++;
    } else {
        lever.state = raw;
    }
    lever.pushed = (uint8_t)(lever.state & (uint8_t)~before);
}

static struct sample read_car(void)
{
    struct sample s;

    s.speed = car_speed();
    __VERIFIER_assume((s.speed <= (last_speed + SPEED_SLOPE)) && (last_speed <= (s.speed + SPEED_SLOPE)));
    last_speed = s.speed;
    s.accelerator = car_accelerator();
    s.brake = car_brake();
    return s;
}

static bool in_range(uint8_t speed)
{
    return (speed >= SPEED_MIN) && (speed <= SPEED_MAX);
}

static void let_go(enum mode next, enum reason reason)
{
    cruise.mode = next;
    cruise.reason = reason;
    cruise.integral = 0;
}

static void hold(uint8_t target)
{
    cruise.target = target;
    cruise.mode = MODE_ACTIVE;
    cruise.reason = REASON_NONE;
    cruise.integral = 0;
    cruise.overtaking = 0u;
}

/* The driver presses the accelerator while a speed is being held. */
static void take_over(void)
{
    cruise.mode = MODE_OVERTAKING;
#ifndef BUG
    cruise.overtaking = 0u;
#endif
}

/* What ends the control of speed in every mode that has it. */
static bool must_let_go(const struct sample *s)
{
    bool done = true;

    if ((lever.state & LEVER_ON) == 0u) {
        let_go(MODE_OFF, REASON_SWITCH);
    } else if (s->brake) {
        let_go(MODE_STANDBY, REASON_BRAKE);
    } else if ((lever.pushed & LEVER_CANCEL) != 0u) {
        let_go(MODE_STANDBY, REASON_LEVER);
    } else if (!in_range(s->speed)) {
        let_go(MODE_STANDBY, REASON_SPEED);
    } else {
        done = false;
    }
    return done;
}

static void step_standby(const struct sample *s)
{
    if ((lever.state & LEVER_ON) == 0u) {
        let_go(MODE_OFF, REASON_SWITCH);
        cruise.target = 0u;
    } else if (s->brake || !in_range(s->speed)) {
        /* not now */
    } else if ((lever.pushed & LEVER_SET) != 0u) {
        hold(s->speed);
    } else if (((lever.pushed & LEVER_RESUME) != 0u) && (cruise.target != 0u)) {
        hold(cruise.target);
    } else {
        /* wait */
    }
}

static void step_overtaking(const struct sample *s)
{
    if (must_let_go(s)) {
        /* done */
    } else if (s->accelerator <= PEDAL_PRESSED) {
        cruise.mode = MODE_ACTIVE;
    } else {
        cruise.overtaking++;
        if (cruise.overtaking >= OVERTAKE_LIMIT) {
            let_go(MODE_STANDBY, REASON_OVERTAKING);
        }
    }
}

/* A PI controller. The integral stops where the throttle does, so that it does not wind up. */
static void control(const struct sample *s)
{
    const int16_t error = (int16_t)((int16_t)cruise.target - (int16_t)s->speed);
    int16_t throttle = (int16_t)((8 * error) + (cruise.integral / 8));

    if (throttle > THROTTLE_MAX) {
        throttle = THROTTLE_MAX;
    } else if (throttle < 0) {
        throttle = 0;
    } else {
        cruise.integral = (int16_t)(cruise.integral + error);
    }
    if (cruise.integral > INTEGRAL_MAX) {
        cruise.integral = INTEGRAL_MAX;
    } else if (cruise.integral < -INTEGRAL_MAX) {
        cruise.integral = -INTEGRAL_MAX;
    } else {
        /* in range */
    }
    cruise.throttle = throttle;
}

static void step(const struct sample *s)
{
    switch (cruise.mode) {
    case MODE_OFF:
        if ((lever.state & LEVER_ON) != 0u) {
            cruise.mode = MODE_STANDBY;
        }
        break;
    case MODE_STANDBY:
        step_standby(s);
        break;
    case MODE_ACTIVE:
        if (!must_let_go(s) && (s->accelerator > PEDAL_PRESSED)) {
            take_over();
        }
        break;
    case MODE_OVERTAKING:
        step_overtaking(s);
        break;
    default:
        let_go(MODE_OFF, REASON_SWITCH);
        break;
    }
    if (cruise.mode == MODE_ACTIVE) {
        control(s);
    } else {
        cruise.throttle = 0;
    }
}

/* What the driver may rely on. */
static void monitor(const struct sample *s, enum mode before)
{
    static uint16_t pressed; /* ticks for which the accelerator has been pressed without a break */

    if (s->accelerator <= PEDAL_PRESSED) {
        pressed = 0u;
    } else if (pressed < UINT16_MAX) {
        pressed++;
    } else {
        /* long enough */
    }

    /* The brake wins, and the engine is only driven within the range. */
    assert((cruise.throttle == 0) || (!s->brake && in_range(s->speed)));
    assert((cruise.throttle >= 0) && (cruise.throttle <= THROTTLE_MAX));

    /* The system stands by because of overtaking only after ten seconds of it. */
    if ((before == MODE_OVERTAKING) && (cruise.mode == MODE_STANDBY) && (cruise.reason == REASON_OVERTAKING)) {
        assert(pressed >= OVERTAKE_LIMIT);
    }
}

int main(void)
{
    /* Power may come while the car is rolling. */
    last_speed = car_speed();

    for (;;) {
        const enum mode before = cruise.mode;
        const struct sample s = read_car();

        read_lever();
        step(&s);
        monitor(&s, before);
    }
}
