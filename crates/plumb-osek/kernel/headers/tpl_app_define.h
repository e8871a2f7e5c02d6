/* A part of what tpl_os.h gives, under the name that Trampoline has for it. */
#ifndef OSEK_TPL_APP_DEFINE_H
#define OSEK_TPL_APP_DEFINE_H
#include "tpl_os.h"
#endif
