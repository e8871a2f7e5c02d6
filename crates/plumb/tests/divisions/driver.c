/* Runs a generated program on sequences of inputs and prints one letter for each run: e if it ended, t if a division trapped, f if
 * it failed.
 *
 *   all VALUE...   every three values for the first three inputs, the last one changing first; further inputs start again
 *   one VALUE...   one run with these inputs, and zero for further ones
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAPPED = 1, FAILED, CYCLE = 3, MAX_INPUTS = 64 };

extern int program_main(void);

static sigjmp_buf end_of_run;
static const char *inputs[MAX_INPUTS];
static int input_count, inputs_taken, is_cyclic;

static long long next_input(void)
{
    int at = inputs_taken++;
    if (is_cyclic)
        at %= CYCLE;
    /* strtoull negates what has a sign. */
    return at < input_count ? (long long)strtoull(inputs[at], 0, 10) : 0;
}

#define INPUT(name, type) type __VERIFIER_nondet_##name(void) { return (type)next_input(); }
INPUT(schar, signed char)
INPUT(uchar, unsigned char)
INPUT(short, short)
INPUT(int, int)
INPUT(uint, unsigned)
INPUT(long, long)
INPUT(longlong, long long)
INPUT(ulonglong, unsigned long long)

int missing(int x) { return (void)x, (int)next_input(); }
void reach_error(void) { siglongjmp(end_of_run, FAILED); }
static void trap(int signal) { (void)signal, siglongjmp(end_of_run, TRAPPED); }

static void one_run(void)
{
    inputs_taken = 0;
    switch (sigsetjmp(end_of_run, 1)) {
    case 0:
        program_main();
        putchar('e');
        break;
    case TRAPPED:
        putchar('t');
        break;
    default:
        putchar('f');
    }
}

int main(int argc, char **argv)
{
    signal(SIGFPE, trap);
    is_cyclic = argc > 1 && strcmp(argv[1], "all") == 0;
    if (!is_cyclic) {
        for (int i = 2; i < argc && input_count < MAX_INPUTS; i++)
            inputs[input_count++] = argv[i];
        one_run();
        return 0;
    }
    input_count = CYCLE;
    for (int a = 2; a < argc; a++)
        for (int b = 2; b < argc; b++)
            for (int c = 2; c < argc; c++) {
                inputs[0] = argv[a], inputs[1] = argv[b], inputs[2] = argv[c];
                one_run();
            }
    return 0;
}
