// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `buffer[0] == 0` does not hold
#include <assert.h>
struct transfer {
    unsigned char *data;
    unsigned size;
};
void start(const struct transfer *transfer);
void start_copy(struct transfer transfer);

static unsigned char buffer[4];

int main(void)
{
    struct transfer transfer = {buffer, 4};
    start(&transfer);
    assert(transfer.size == 4 && transfer.data == buffer);
    if (buffer[0] != 0)
        return 0;
    start_copy(transfer);
    assert(transfer.size == 4);
    assert(buffer[0] == 0);
    return 0;
}
