/* The types that OSEK's parts share; they come with os.h. */
#ifndef OSEK_OSEK_H
#define OSEK_OSEK_H
#include "os.h"
#endif
