/*
 * What Trampoline's functional tests expect of their unit test library, of their order checks and of the board,
 * written for the kernel model. A test numbers its steps; a step out of order, a value other than expected, or a
 * wrong number of tests at the end calls reach_error().
 *
 * Compile the sources that the OIL file lists as APP_SRC with this folder first among the include directories, with
 * support.c, the kernel without environment.c, and the generated tables. Define EXPECTED_TESTS as the number that
 * expected.txt names.
 */
#ifndef TRAMPOLINE_EMBUNIT_H
#define TRAMPOLINE_EMBUNIT_H

#include <stddef.h>
#include <stdint.h>

#include "os.h"

/* ---- tests: named functions in groups ---- */

typedef struct {
    const char *name;
    void (*run)(void);
} TestFixture;

typedef struct {
    const char *name;
    unsigned count;
    const TestFixture *fixtures;
} Test;

typedef const Test *TestRef;

#define EMB_UNIT_TESTFIXTURES(fixtures) static const TestFixture fixtures[] =
#define new_TestFixture(name, function) {name, function},
#define EMB_UNIT_TESTCALLER(caller, name, set_up, tear_down, fixtures)                                              \
    static const Test caller = {name, sizeof fixtures / sizeof *fixtures, fixtures}

void TestRunner_start(void);
void TestRunner_runTest(TestRef test);
void TestRunner_end(void);
void addFailure(const char *message, long line, const char *file);

/* ---- steps ---- */

extern unsigned char test_number;
void check_number(unsigned expected, unsigned actual);

#define SCHEDULING_CHECK_STEP(step) { check_number(step, ++test_number); }
#define SCHEDULING_CHECK_INIT(step) { check_number(step, ++test_number);
#define SCHEDULING_CHECK_AND_EQUAL_INT_FIRST(step, expected, actual)                                                \
    check_number(step, test_number);                                                                                \
    check_number((unsigned)(expected), (unsigned)(actual));
#define SCHEDULING_CHECK_AND_EQUAL_INT(step, expected, actual)                                                      \
    SCHEDULING_CHECK_AND_EQUAL_INT_FIRST(step, expected, actual)                                                    \
    }
#define TEST_ASSERT_EQUAL_INT(expected, actual) check_number((unsigned)(expected), (unsigned)(actual));

/* ---- the board ---- */

#define SOFT_IRQ0 0
#define SOFT_IRQ1 1
#define SOFT_IRQ2 2

/* Requests softwareInterruptHandler<channel>, which are the first handlers of the table. */
void sendSoftwareIt(uint32_t core, uint32_t channel);

/* The counters tick until the alarm has expired. */
void WaitActivationOneShotAlarm(AlarmType alarm);
void WaitActivationPeriodicAlarm(AlarmType alarm);

#define ReadFlag(name) ReadFlag_##name()

#endif
