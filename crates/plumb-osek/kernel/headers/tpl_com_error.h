/* A part of what tpl_os.h gives, under the name that Trampoline has for it. */
#ifndef OSEK_TPL_COM_ERROR_H
#define OSEK_TPL_COM_ERROR_H
#include "tpl_os.h"
#endif
