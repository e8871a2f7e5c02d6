// args: check --engine bmc
// files: gnu-inline.part
// arch: avr hc12 32 64
// expect: exit 0
// expect: last TRUE
// A header's extern inline functions, in two files: what inline means must be known to the header.
#include "gnu-inline.head"
extern void reach_error(void);
int other(void);

int main(void)
{
    if (magnitude(-3) != 3 || other() != 4)
        reach_error();
    return 0;
}
