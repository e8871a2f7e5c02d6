#include "../../headers/tpl_os.h"
#include "embUnit.h"
