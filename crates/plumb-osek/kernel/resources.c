/*
 * Resource management (chapter 8, 13.4) by the priority ceiling protocol: who takes a resource runs at its ceiling
 * at least, so that nobody else who uses it runs. A ceiling above the tasks masks the handlers that share the
 * resource.
 */
#include "state.h"

typedef struct {
    uint8_t held;
    ResourceType previous;           /* the resource that its holder had taken before */
    osek_priority priority;          /* the priority that its holder had before */
} osek_resource_state;

static osek_resource_state osek_resource_states[OSEK_ROOM(OSEK_RESOURCE_COUNT)];

/* Who is above the ceiling is none of those that the OIL file lists as users of the resource. */
static StatusType osek_check_resource(OSServiceIdType service, ResourceType resource)
{
    StatusType status = osek_check_level(service, OSEK_IN_SCHEDULED);
    if (status == E_OK && resource >= OSEK_RESOURCE_COUNT) {
        status = osek_extended(service, E_OS_ID);
    }
    if (status == E_OK && osek_current.base > osek_resources[resource].ceiling) {
        status = osek_extended(service, E_OS_ACCESS);
    }
    return status;
}

/* A resource that is held cannot be taken, not even by its holder (8.3). */
StatusType GetResource(ResourceType ResID)
{
    StatusType status = osek_check_resource(OSServiceId_GetResource, ResID);
    if (status == E_OK && osek_resource_states[ResID].held) {
        status = osek_extended(OSServiceId_GetResource, E_OS_ACCESS);
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_GetResource, status, ResID, 0, 0);
    }
    osek_resource_states[ResID].held = 1;
    osek_resource_states[ResID].previous = osek_current.last_resource;
    osek_resource_states[ResID].priority = osek_current.priority;
    osek_current.last_resource = ResID;
    if (osek_current.priority < osek_resources[ResID].ceiling) {
        osek_current.priority = osek_resources[ResID].ceiling;
    }
    return E_OK;
}

/* The holder gives back what it took last, and has the priority that it had before. */
static void osek_release_last(void)
{
    ResourceType last = osek_current.last_resource;
    osek_current.last_resource = osek_resource_states[last].previous;
    osek_current.priority = osek_resource_states[last].priority;
    osek_resource_states[last].held = 0;
    osek_resource_states[last].previous = 0;
    osek_resource_states[last].priority = 0;
}

/* Resources are given back in the reverse order of taking; anything else is not held, or not yet to be released. */
StatusType ReleaseResource(ResourceType ResID)
{
    StatusType status = osek_check_resource(OSServiceId_ReleaseResource, ResID);
    if (status == E_OK && osek_current.last_resource != ResID) {
        status = osek_extended(OSServiceId_ReleaseResource, E_OS_NOFUNC);
    }
    if (status != E_OK) {
        return osek_fail(OSServiceId_ReleaseResource, status, ResID, 0, 0);
    }
    osek_release_last();
    osek_return();
    return E_OK;
}

/* For an activity that ends, against the rules, with resources. */
void osek_release_all(void)
{
    while (osek_current.last_resource != OSEK_NO_RESOURCE) {
        osek_release_last();
    }
}
