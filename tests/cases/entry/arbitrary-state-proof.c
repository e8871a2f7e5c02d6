// A proof for every state, arrays and structures among it.
// args: check --entry step --entry-state arbitrary --engine bmc --checks overflow
// expect: last TRUE
#include <assert.h>
static struct { unsigned char mode; short level; } state;
static int table[4];
void reset(int i) { state.mode = i; state.level = i; table[i & 3] = i; }
int step(unsigned char index)
{
    if (state.level > 100)
        state.level = 100;
    assert(state.level <= 100);
    table[index & 3] = 5;
    assert(table[index & 3] == 5);
    return state.mode + state.level;
}
int main(void) { reset(1); return step(2); }
