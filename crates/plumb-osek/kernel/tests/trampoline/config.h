/* The tests mean the configuration of their unit test library, the generated tables mean that of the kernel. */
#include "../../config.h"
