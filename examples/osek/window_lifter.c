/*
 * A window lifter. Buttons are polled, the motor moves the window a step at a time between its ends, and a pinch sensor interrupts.
 *
 *   plumb check window_lifter.c --oil window_lifter.oil --reach 'state == REVERSE'        FALSE: it is reached, and how
 *   plumb check window_lifter.c --oil window_lifter.oil --reach 'state == BROKEN'         no run gets there
 *
 * The control task is the only one that changes the state. CLOSE, LOCK, LOCKED, OPEN, DOWN, STALL, UP and REVERSE are reached. BROKEN is
 * entered from REVERSE if the window is at its upper end, where it cannot be: a window at its end does not move up.
 */
#include "os.h"

typedef enum { CLOSE, LOCK, LOCKED, OPEN, DOWN, STALL, UP, REVERSE, BROKEN } window_state;
typedef enum { NOTHING, PRESS_UP, PRESS_DOWN, PRESS_LOCK, PRESS_STOP } button;
typedef enum { STILL, RISING, FALLING } direction;

#define BOTTOM 0
#define TOP 3

unsigned char read_buttons(void);
void drive(direction way);
void light(int on);

volatile window_state state;
volatile button pressed;
volatile direction moving;
volatile unsigned char height = TOP;
volatile unsigned char has_pinched;

DeclareTask(control);
DeclareEvent(command);
DeclareEvent(pinched);
DeclareResource(window);

ALARMCALLBACK(feed)
{
}

ISR(pinch)
{
    if (moving == RISING) {
        has_pinched = 1;
        SetEvent(control, pinched);
    }
}

TASK(init)
{
    state = CLOSE;
    pressed = NOTHING;
    moving = STILL;
    has_pinched = 0;
    TerminateTask();
}

TASK(buttons)
{
    unsigned char reading = read_buttons();
    if (reading <= PRESS_STOP) {
        pressed = (button)reading;
    }
    TerminateTask();
}

TASK(motor)
{
    direction way;
    GetResource(window);
    way = moving;
    if (way == RISING && height < TOP) {
        height = height + 1;
    } else if (way == FALLING && height > BOTTOM) {
        height = height - 1;
    }
    ReleaseResource(window);
    drive(way);
    TerminateTask();
}

TASK(lamp)
{
    light(pressed != NOTHING);
    TerminateTask();
}

static void decide(void)
{
    button now = pressed;
    switch (state) {
    case CLOSE:
        if (now == PRESS_LOCK) {
            state = LOCK;
        } else if (now == PRESS_DOWN) {
            state = DOWN;
            moving = FALLING;
        }
        break;
    case LOCK:
        state = LOCKED;
        break;
    case LOCKED:
        if (now == PRESS_LOCK) {
            state = CLOSE;
        }
        break;
    case DOWN:
        if (height == BOTTOM) {
            moving = STILL;
            state = OPEN;
        } else if (now == PRESS_STOP) {
            moving = STILL;
            state = STALL;
        }
        break;
    case OPEN:
    case STALL:
        if (now == PRESS_UP && height < TOP) {
            has_pinched = 0;
            moving = RISING;
            state = UP;
        } else if (now == PRESS_DOWN && height > BOTTOM) {
            moving = FALLING;
            state = DOWN;
        }
        break;
    case UP:
        if (has_pinched && height < TOP) {
            moving = FALLING;
            state = REVERSE;
        } else if (height == TOP) {
            moving = STILL;
            state = CLOSE;
        } else if (now == PRESS_STOP) {
            moving = STILL;
            state = STALL;
        }
        break;
    case REVERSE:
        if (height == TOP) {
            state = BROKEN;
        } else if (height == BOTTOM) {
            moving = STILL;
            state = OPEN;
        }
        break;
    default:
        break;
    }
}

TASK(control)
{
    while (1) {
        WaitEvent(command | pinched);
        ClearEvent(command | pinched);
        GetResource(window);
        decide();
        ReleaseResource(window);
    }
}
