// args: check --engine kind
// expect: last TRUE
#include <assert.h>
struct sample {
    unsigned raw, spare;
};
void sample(struct sample *to);

int main(void)
{
    struct sample last = {0, 0};
    unsigned total = 0, limit = 0;
    for (;;) {
        sample(&last);
        total = last.raw & 15;
        limit = limit + 0;
        assert(total <= 15 && limit == 0);
    }
}
