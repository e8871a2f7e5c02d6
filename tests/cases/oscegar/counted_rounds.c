// Loops of more iterations than are told apart: that their counters begin below their ends is known of every round.
// args: check --engine oscegar --os-checks=response --oil counted_rounds.inc
// expect: exit 0
// expect: last TRUE
#include "os.h"

void plot(int value);

static int shown;
static int rounds;

TASK(draw)
{
    int line, pause;
    while (1) {
        for (line = 0; line < 20; line++) {
            shown--;
            GetResource(screen);
            plot(shown);
            for (pause = 0; pause < 1000; pause++)
                ;
            ReleaseResource(screen);
        }
        rounds++;
    }
}

TASK(update)
{
    int line;
    while (1) {
        for (line = 0; line < 12; line++) {
            GetResource(screen);
            plot(shown);
            ReleaseResource(screen);
        }
        WaitEvent(due);
        ClearEvent(due);
        shown = 0;
    }
}
