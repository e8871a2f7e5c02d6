// args: show ir --slice
// expect: stdout speed := speed + 1
// expect: stdout check false
// expect: no-stdout events
#include <assert.h>
extern int input(void);
static int events, speed;
static void note(int value) { events += value; }
int main(void) {
    for (int i = 0; i < 10; i++) {
        int value = input();
        note(value);
        if (value > 3) speed++;
    }
    assert(speed <= 10);
    return events > 0;
}
