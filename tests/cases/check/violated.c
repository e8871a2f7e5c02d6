// args: check --inputs {tmp}/inputs.txt
// then: run --inputs {tmp}/inputs.txt
// expect: then-exit 1
// expect: exit 1
// expect: stdout violated: assertion: the assertion `hot < 4` does not hold
// expect: stdout at violated.c:18:17, in main
// expect: stdout wrote the inputs to
// expect: stdout assumed: functions without a body return arbitrary values, may change what their arguments reach but free nothing, and do nothing else (--missing havoc): sensor
// expect: last FALSE(unreach-call)
// expect: file inputs.txt # sensor
// expect: then violated: assertion: the assertion `hot < 4` does not hold at violated.c:18:17
#include <assert.h>
extern int sensor(void);
int main(void)
{
    int hot = 0;
    for (;;) {
        assert(hot < 4);
        hot = sensor() > 100 ? hot + 1 : 0;
    }
}
