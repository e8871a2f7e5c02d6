/* A part of what tpl_os.h gives, under the name that Trampoline has for it. */
#ifndef OSEK_TPL_COM_DEFINITIONS_H
#define OSEK_TPL_COM_DEFINITIONS_H
#include "tpl_os.h"
#endif
