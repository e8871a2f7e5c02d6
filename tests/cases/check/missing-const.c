// args: check --engine bmc
// expect: stdout assumed: functions without a body return arbitrary values, may change what their arguments reach
// expect: last TRUE
#include <assert.h>
struct message {
    const char *text;
    int size;
};
void show(const int *value, const struct message *message, void (*done)(void));
int sum(const int values[], int count);

static struct message hello = {"hello", 5};
static int values[3] = {1, 2, 3};

int main(void)
{
    int value = 7;
    show(&value, &hello, 0);
    sum(values, 3);
    assert(value == 7 && hello.size == 5 && hello.text[1] == 'e' && values[2] == 3);
    return 0;
}
