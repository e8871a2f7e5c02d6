/*
 * The name of os.h in Trampoline, with what its applications find there besides: the integers of AUTOSAR, the macros that
 * place functions and variables in memory, and identifiers that no object has.
 */
#ifndef OSEK_TPL_OS_H
#define OSEK_TPL_OS_H

#include <stddef.h>
#include <stdint.h>

#include "os.h"

typedef uint8_t boolean;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef int8_t sint8;
typedef int16_t sint16;
typedef int32_t sint32;
typedef int64_t sint64;
typedef float float32;
typedef double float64;

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

#define FUNC(type, section) type
#define VAR(type, section) type
#define CONST(type, section) const type
#define P2VAR(type, pointed, section) type *
#define P2CONST(type, pointed, section) const type *
#define CONSTP2VAR(type, pointed, section) type *const
#define CONSTP2CONST(type, pointed, section) const type *const
#define P2FUNC(type, section, name) type (*name)
#define STATIC static
#define AUTOMATIC

/* A handler that a system has to have and no application needs. */
#define UNUSED_ISR(name) \
    ISR(name)            \
    {                    \
    }

#define INVALID_ALARM ((AlarmType)255)
#define INVALID_COUNTER ((CounterType)255)
#define INVALID_MESSAGE ((MessageIdentifier)255)
#define INVALID_RESOURCE ((ResourceType)255)

#endif
