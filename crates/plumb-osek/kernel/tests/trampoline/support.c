/* The bodies of embUnit.h, and what takes the place of environment.c. */
#include <stdlib.h>

#include "embUnit.h"

void reach_error(void);

unsigned char test_number;
static unsigned tests_run;

static void fail(void)
{
    reach_error();
    exit(1);
}

void check_number(unsigned expected, unsigned actual)
{
    if (expected != actual) {
        fail();
    }
}

void addFailure(const char *message, long line, const char *file)
{
    (void)message;
    (void)line;
    (void)file;
    fail();
}

void TestRunner_start(void)
{
    tests_run = 0;
}

/* A test that does not return, because its task ends in it, counts as well. */
void TestRunner_runTest(TestRef test)
{
    unsigned i;
    for (i = 0; i < test->count; i++) {
        tests_run++;
        test->fixtures[i].run();
    }
}

void TestRunner_end(void)
{
    check_number(EXPECTED_TESTS, tests_run);
}

/* Tests of the standard status do what the specification leaves undefined, and know what Trampoline does then. */
void osek_undefined(OSServiceIdType service, StatusType code)
{
    (void)service;
    (void)code;
}

/* A test ends by ShutdownOS, which calls TestRunner_end. */
void osek_halt(void)
{
    fail();
}

/* ---- interrupts ---- */

void sendSoftwareIt(uint32_t core, uint32_t channel)
{
    (void)core;
    osek_interrupt(channel);
}

static void tick(void)
{
    unsigned counter;
    for (counter = 0; counter < OSEK_COUNTER_COUNT; counter++) {
        osek_interrupt(osek_counter_source(counter));
    }
}

void WaitActivationOneShotAlarm(AlarmType alarm)
{
    TickType left;
    while (GetAlarm(alarm, &left) == E_OK) {
        tick();
    }
}

/* The ticks that are left grow when the alarm has expired. */
void WaitActivationPeriodicAlarm(AlarmType alarm)
{
    TickType left = 0;
    TickType before;
    do {
        before = left;
        GetAlarm(alarm, &left);
        if (before == 0 || left <= before) {
            tick();
        }
    } while (before == 0 || left <= before);
}

/* While the system idles, the first counter ticks. */
unsigned osek_chosen_interrupt(void)
{
    return OSEK_COUNTER_COUNT > 0 ? osek_counter_source(0) : 255;
}
