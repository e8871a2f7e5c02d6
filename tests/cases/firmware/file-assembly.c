// args: check --engine bmc
// arch: 32 64 avr
// expect: exit 0
// expect: stdout assumed: assembly outside of functions changes nothing that the program uses: file-assembly.c:9
// expect: last TRUE
/* It may define what C declares elsewhere, or overlay it. */
extern void reach_error(void);
static int level = 1;
__asm__(".global other_name\n.set other_name, level");

int main(void)
{
    if (level != 1)
        reach_error();
    return 0;
}
