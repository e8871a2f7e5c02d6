/* A part of what tpl_os.h gives, under the name that Trampoline has for it. */
#ifndef OSEK_TPL_COMPILER_H
#define OSEK_TPL_COMPILER_H
#include "tpl_os.h"
#endif
