// args: check
// expect: last TRUE
// expect: stdout assumed: functions without a body do not call the functions that are passed to them: on_event, start
#include <assert.h>

struct driver {
    int id;
    void (*done)(void);
};

void on_event(void (*handler)(void));
void start(const struct driver *driver);

static int events;

static void count(void) { events++; }

int main(void)
{
    struct driver driver = { 1, count };
    on_event(count);
    start(&driver);
    assert(events == 0);
    return 0;
}
