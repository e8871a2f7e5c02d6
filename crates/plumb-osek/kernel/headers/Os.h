/* The name of os.h in AUTOSAR. */
#ifndef OSEK_AUTOSAR_OS_H
#define OSEK_AUTOSAR_OS_H
#include "tpl_os.h"
#endif
