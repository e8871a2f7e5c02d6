/* The name of os.h in TOPPERS/OSEK, and so in nxtOSEK. */
#ifndef OSEK_KERNEL_H
#define OSEK_KERNEL_H
#include "os.h"
#endif
