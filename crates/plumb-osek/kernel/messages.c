/*
 * Internal communication: the part of OSEK/VDX COM 3.0.3 that an operating system provides (chapter 10). Sending
 * stores the value in every receiving message whose filter lets it pass, and notifies the receivers.
 */
#include <string.h>

#include "state.h"

/*
 * A queued message keeps its values in a ring: `count` of them from `first` on. `flag` is the notification flag,
 * `occurrence` counts sends for ONEEVERYN.
 */
typedef struct {
    uint8_t first;
    uint8_t count;
    uint8_t overflow;                /* a value was lost since the last reception */
    FlagValue flag;
    uint32_t occurrence;
} osek_message_state;

static osek_message_state osek_message_states[OSEK_ROOM(OSEK_MESSAGE_COUNT)];
static COMApplicationModeType osek_com_mode;

/* With standard status of COM these checks are not made: what fails them is undefined. */
static StatusType osek_com_extended(COMServiceIdType service, StatusType code)
{
    if (!OSEK_COM_EXTENDED_STATUS) {
        osek_undefined(service, code);
    }
    return code;
}

static uint8_t osek_ring_index(MessageIdentifier message, unsigned offset)
{
    return (uint8_t)((osek_message_states[message].first + offset) % osek_messages[message].queue_length);
}

/* Where value number `index` of a message's buffer is. */
static void *osek_place(MessageIdentifier message, uint8_t index)
{
    return (char *)osek_messages[message].buffer + index * osek_messages[message].size;
}

/* ---- filters ---- */

/* A value of one, two or four bytes as a number. */
static uint32_t osek_number(const void *data, size_t size)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    if (size == 1) {
        memcpy(&byte, data, 1);
        return byte;
    }
    if (size == 2) {
        memcpy(&half, data, 2);
        return half;
    }
    memcpy(&word, data, 4);
    return word;
}

/* The last value that passed: the newest in the ring, received or not; at first the initial value. */
static uint32_t osek_old_number(MessageIdentifier message)
{
    uint8_t index = 0;
    if (osek_messages[message].kind == OSEK_MESSAGE_QUEUED) {
        index = osek_ring_index(message,
                                osek_messages[message].queue_length + osek_message_states[message].count - 1u);
    }
    return osek_number(osek_place(message, index), osek_messages[message].size);
}

/* The first value is number 0; every PERIOD-th passes, from OFFSET on. */
static uint8_t osek_passes_one_every_n(MessageIdentifier message)
{
    uint32_t occurrence = osek_message_states[message].occurrence;
    osek_message_states[message].occurrence = (occurrence + 1) % osek_messages[message].a;
    return occurrence == osek_messages[message].b;
}

static uint8_t osek_passes_number(MessageIdentifier message, uint32_t new_number)
{
    uint32_t old_number = osek_old_number(message);
    uint32_t a = osek_messages[message].a;
    uint32_t b = osek_messages[message].b;
    switch (osek_messages[message].filter) {
    case OSEK_FILTER_MASKED_NEW_EQUALS_X:
        return (new_number & a) == b;
    case OSEK_FILTER_MASKED_NEW_DIFFERS_X:
        return (new_number & a) != b;
    case OSEK_FILTER_NEW_IS_EQUAL:
        return new_number == old_number;
    case OSEK_FILTER_NEW_IS_DIFFERENT:
        return new_number != old_number;
    case OSEK_FILTER_MASKED_NEW_EQUALS_MASKED_OLD:
        return (new_number & a) == (old_number & a);
    case OSEK_FILTER_MASKED_NEW_DIFFERS_MASKED_OLD:
        return (new_number & a) != (old_number & a);
    case OSEK_FILTER_NEW_IS_WITHIN:
        return a <= new_number && new_number <= b;
    case OSEK_FILTER_NEW_IS_OUTSIDE:
        return new_number < a || b < new_number;
    case OSEK_FILTER_NEW_IS_GREATER:
        return new_number > old_number;
    case OSEK_FILTER_NEW_IS_LESS_OR_EQUAL:
        return new_number <= old_number;
    case OSEK_FILTER_NEW_IS_LESS:
        return new_number < old_number;
    default: /* OSEK_FILTER_NEW_IS_GREATER_OR_EQUAL */
        return new_number >= old_number;
    }
}

static uint8_t osek_passes(MessageIdentifier message, const void *data)
{
    switch (osek_messages[message].filter) {
    case OSEK_FILTER_ALWAYS:
        return 1;
    case OSEK_FILTER_NEVER:
        return 0;
    case OSEK_FILTER_ONE_EVERY_N:
        return osek_passes_one_every_n(message);
    default:
        return osek_passes_number(message, osek_number(data, osek_messages[message].size));
    }
}

/* ---- sending ---- */

/* Says whether the value was stored. A full queue loses the new value and remembers that it did. */
static uint8_t osek_store(MessageIdentifier message, const void *data)
{
    uint8_t index = 0;
    if (osek_messages[message].kind == OSEK_MESSAGE_QUEUED) {
        if (osek_message_states[message].count == osek_messages[message].queue_length) {
            osek_message_states[message].overflow = 1;
            return 0;
        }
        index = osek_ring_index(message, osek_message_states[message].count);
        osek_message_states[message].count++;
    }
    if (osek_messages[message].size > 0) {
        memcpy(osek_place(message, index), data, osek_messages[message].size);
    }
    return 1;
}

static void osek_notify(MessageIdentifier message)
{
    if (osek_messages[message].notification.kind == OSEK_ACTION_FLAG) {
        osek_message_states[message].flag = COM_TRUE;
    } else {
        osek_perform(osek_messages[message].notification.kind, osek_messages[message].notification.task,
                     osek_messages[message].notification.event, osek_messages[message].notification.callback);
    }
}

/* All receivers have the value before the first is notified, so that none reads an old one. */
static void osek_send(MessageIdentifier sender, const void *data)
{
    uint8_t stored[OSEK_ROOM(OSEK_MESSAGE_COUNT)];
    MessageIdentifier message;
    for (message = 0; message < OSEK_MESSAGE_COUNT; message++) {
        stored[message] = osek_messages[message].kind != OSEK_MESSAGE_SEND && osek_messages[message].sender == sender
            && osek_passes(message, data) && osek_store(message, data);
    }
    for (message = 0; message < OSEK_MESSAGE_COUNT; message++) {
        if (stored[message]) {
            osek_notify(message);
        }
    }
    osek_return();
}

static uint8_t osek_is_sender(MessageIdentifier message)
{
    return message < OSEK_MESSAGE_COUNT && osek_messages[message].kind == OSEK_MESSAGE_SEND;
}

StatusType SendMessage(MessageIdentifier Message, ApplicationDataRef DataRef)
{
    if (!osek_is_sender(Message) || osek_messages[Message].size == 0) {
        return osek_fail_com(COMServiceId_SendMessage, osek_com_extended(COMServiceId_SendMessage, E_COM_ID), Message,
                             DataRef);
    }
    osek_send(Message, DataRef);
    return E_OK;
}

StatusType SendZeroMessage(MessageIdentifier Message)
{
    if (!osek_is_sender(Message) || osek_messages[Message].size != 0) {
        return osek_fail_com(COMServiceId_SendZeroMessage, osek_com_extended(COMServiceId_SendZeroMessage, E_COM_ID),
                             Message, NULL);
    }
    osek_send(Message, NULL);
    return E_OK;
}

/* ---- receiving ---- */

/* E_COM_LIMIT comes with the oldest value that was not lost. Receiving lowers the flag. */
static StatusType osek_receive(MessageIdentifier message, ApplicationDataRef data)
{
    StatusType status = E_OK;
    osek_message_states[message].flag = COM_FALSE;
    if (osek_messages[message].kind == OSEK_MESSAGE_UNQUEUED) {
        memcpy(data, osek_place(message, 0), osek_messages[message].size);
        return E_OK;
    }
    if (osek_message_states[message].count == 0) {
        return E_COM_NOMSG;
    }
    if (osek_message_states[message].overflow) {
        status = E_COM_LIMIT;
    }
    memcpy(data, osek_place(message, osek_message_states[message].first), osek_messages[message].size);
    osek_message_states[message].first = osek_ring_index(message, 1);
    osek_message_states[message].count--;
    osek_message_states[message].overflow = 0;
    return status;
}

StatusType ReceiveMessage(MessageIdentifier Message, ApplicationDataRef DataRef)
{
    StatusType status;
    if (Message >= OSEK_MESSAGE_COUNT || osek_messages[Message].kind == OSEK_MESSAGE_SEND
        || osek_messages[Message].size == 0) {
        status = osek_com_extended(COMServiceId_ReceiveMessage, E_COM_ID);
    } else {
        status = osek_receive(Message, DataRef);
    }
    if (status != E_OK) {
        return osek_fail_com(COMServiceId_ReceiveMessage, status, Message, DataRef);
    }
    return E_OK;
}

/* The state of a queue, as the next ReceiveMessage would tell it. It is what was asked for, not an error. */
StatusType GetMessageStatus(MessageIdentifier Message)
{
    if (Message >= OSEK_MESSAGE_COUNT || osek_messages[Message].kind != OSEK_MESSAGE_QUEUED) {
        return osek_fail_com(COMServiceId_GetMessageStatus,
                             osek_com_extended(COMServiceId_GetMessageStatus, E_COM_ID), Message, NULL);
    }
    if (osek_message_states[Message].count == 0) {
        return E_COM_NOMSG;
    }
    return osek_message_states[Message].overflow ? E_COM_LIMIT : E_OK;
}

/* ---- flags, initialisation ---- */

FlagValue osek_read_flag(MessageIdentifier Message)
{
    return osek_message_states[Message].flag;
}

void osek_reset_flag(MessageIdentifier Message)
{
    osek_message_states[Message].flag = COM_FALSE;
}

/* A queue is emptied, a message without queue gets the value. */
StatusType InitMessage(MessageIdentifier Message, ApplicationDataRef DataRef)
{
    if (Message >= OSEK_MESSAGE_COUNT || osek_messages[Message].kind == OSEK_MESSAGE_SEND
        || osek_messages[Message].size == 0) {
        return osek_fail_com(COMServiceId_InitMessage, osek_com_extended(COMServiceId_InitMessage, E_COM_ID), Message,
                             DataRef);
    }
    if (osek_messages[Message].kind == OSEK_MESSAGE_UNQUEUED) {
        memcpy(osek_place(Message, 0), DataRef, osek_messages[Message].size);
    } else {
        osek_message_states[Message].count = 0;
        osek_message_states[Message].overflow = 0;
    }
    return E_OK;
}

/* Internal communication needs no start; the mode is remembered for who asks. */
StatusType StartCOM(COMApplicationModeType Mode)
{
    osek_com_mode = Mode;
    return E_OK;
}

COMApplicationModeType GetCOMApplicationMode(void)
{
    return osek_com_mode;
}

StatusType StopCOM(COMShutdownModeType Mode)
{
    if (Mode != COM_SHUTDOWN_IMMEDIATE) {
        return osek_fail_com(COMServiceId_StopCOM, osek_com_extended(COMServiceId_StopCOM, E_COM_ID), Mode, NULL);
    }
    return E_OK;
}
