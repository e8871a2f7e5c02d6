// expect: exit 2
// expect: stdout not supported: signals
#include <signal.h>
static void handler(int n) { (void)n; }
int main(void) {
    signal(SIGINT, handler);
    return 0;
}
