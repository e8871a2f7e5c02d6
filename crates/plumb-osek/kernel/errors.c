/*
 * Errors and hooks (chapter 11) and the levels from which services may be called (12.2.2).
 *
 * The kernel model makes every check of the extended status in both kinds of system. The standard status
 * promises nothing to an application that such a check would refuse, so there the failed check is announced by
 * osek_undefined(). The service then fails as it would with extended status, or, where it can do no harm, goes on.
 */
#include "state.h"

osek_failed_call osek_failure;

/* A check that only the extended status makes has failed: the service fails. */
StatusType osek_extended(OSServiceIdType service, StatusType code)
{
    if (!OSEK_EXTENDED_STATUS) {
        osek_monitor_undefined(service, code);
        osek_undefined(service, code);
    }
    return code;
}

/* The same for a check without which the service still makes sense: with standard status it goes on. */
StatusType osek_tolerated(OSServiceIdType service, StatusType code)
{
    osek_extended(service, code);
    return OSEK_EXTENDED_STATUS ? code : E_OK;
}

/*
 * A service called from a level that is not allowed fails with E_OS_CALLEVEL. Critical sections made by masking
 * interrupts must not contain a service call (13.3); what happens then is undefined with either status.
 */
StatusType osek_check_level(OSServiceIdType service, uint16_t allowed)
{
    if ((osek_current.level & allowed) == 0) {
        return osek_extended(service, E_OS_CALLEVEL);
    }
    if (osek_in_critical_section()) {
        osek_monitor_undefined(service, E_OS_DISABLEDINT);
        osek_undefined(service, E_OS_DISABLEDINT);
        return OSEK_EXTENDED_STATUS ? E_OS_DISABLEDINT : E_OK;
    }
    return E_OK;
}

/*
 * The error hook runs when a service returns something other than E_OK. An error inside the error hook does not
 * call it again (11.1), not even one in a handler that interrupts it. The description of the failed call exists only
 * while the hook runs.
 */
#if OSEK_ERROR_HOOK
static void osek_call_error_hook(StatusType code)
{
    uint16_t level = osek_current.level;
    osek_current.level = OSEK_IN_ERROR_HOOK;
#if OSEK_ERROR_HOOK == 2
    (void)code;
    ErrorHook();
#else
    ErrorHook(code);
#endif
    osek_current.level = level;
}
#endif

#if OSEK_COM_ERROR_HOOK
static void osek_call_com_error_hook(StatusType code)
{
    uint16_t level = osek_current.level;
    osek_current.level = OSEK_IN_ERROR_HOOK;
    COMErrorHook(code);
    osek_current.level = level;
}
#endif

static void osek_describe(uint8_t service, uint32_t first, uint32_t second, uint32_t third, void *reference)
{
    osek_failure.service = service;
    osek_failure.value[0] = first;
    osek_failure.value[1] = second;
    osek_failure.value[2] = third;
    osek_failure.reference = reference;
}

static void osek_announce(OSServiceIdType service, StatusType code, uint32_t first, uint32_t second, uint32_t third,
                          void *reference)
{
#if OSEK_ERROR_HOOK
    if (osek_failure.service == 0) {
        osek_describe(service, first, second, third, reference);
        osek_call_error_hook(code);
        osek_describe(0, 0, 0, 0, NULL);
    }
#else
    (void)service;
    (void)code;
    (void)first;
    (void)second;
    (void)third;
    (void)reference;
#endif
}

/* An error that no caller learns of: an alarm or a message did not have its effect. */
void osek_report(OSServiceIdType service, StatusType code, uint32_t first, uint32_t second, uint32_t third)
{
    osek_monitor_error(service, code);
    osek_announce(service, code, first, second, third, NULL);
}

/* A service ends with an error. Interrupts that occurred in the hook have waited for its end. */
StatusType osek_fail(OSServiceIdType service, StatusType code, uint32_t first, uint32_t second, uint32_t third)
{
    osek_monitor_error(service, code);
    osek_announce(service, code, first, second, third, NULL);
    osek_return();
    return code;
}

/* The same for services with a parameter that is a reference. */
StatusType osek_fail_reference(OSServiceIdType service, StatusType code, uint32_t first, void *reference)
{
    osek_monitor_error(service, code);
    osek_announce(service, code, first, 0, 0, reference);
    osek_return();
    return code;
}

/* The same for communication services. */
StatusType osek_fail_com(COMServiceIdType service, StatusType code, uint32_t first, void *reference)
{
#if OSEK_COM_ERROR_HOOK
    if (osek_failure.service == 0) {
        osek_describe(service, first, 0, 0, reference);
        osek_call_com_error_hook(code);
        osek_describe(0, 0, 0, 0, NULL);
        osek_return();
    }
#else
    (void)service;
    (void)first;
    (void)reference;
#endif
    return code;
}

/* Before a task gets the processor, when it is already in the running state. */
void osek_call_pretask_hook(void)
{
#if OSEK_PRETASK_HOOK
    uint16_t level = osek_current.level;
    osek_current.level = OSEK_IN_PRETASK_HOOK;
    PreTaskHook();
    osek_current.level = level;
#endif
}

/* After a task has run, while it is still in the running state. */
void osek_call_posttask_hook(void)
{
#if OSEK_POSTTASK_HOOK
    uint16_t level = osek_current.level;
    osek_current.level = OSEK_IN_POSTTASK_HOOK;
    PostTaskHook();
    osek_current.level = level;
#endif
}

/* After the kernel is initialised, before the first task runs. */
void osek_call_startup_hook(void)
{
#if OSEK_STARTUP_HOOK
    uint16_t level = osek_current.level;
    osek_current.level = OSEK_IN_STARTUP_HOOK;
    StartupHook();
    osek_current.level = level;
#endif
}

void osek_call_shutdown_hook(StatusType error)
{
#if OSEK_SHUTDOWN_HOOK
    uint16_t level = osek_current.level;
    osek_current.level = OSEK_IN_SHUTDOWN_HOOK;
    ShutdownHook(error);
    osek_current.level = level;
#else
    (void)error;
#endif
}
