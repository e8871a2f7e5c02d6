/* The generated names in TOPPERS/OSEK, and so in nxtOSEK. */
#ifndef OSEK_KERNEL_ID_H
#define OSEK_KERNEL_ID_H
#include "os.h"
#endif
