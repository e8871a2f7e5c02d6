// The paper's variants: an alarm judged by its own inputs, and summaries by accuracy alone.
//
// args: check --engine pbe --no-cache --alarm-filter concrete --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
// then: check --engine pbe --no-cache --no-output-coverage --timeout 300
// expect: then FALSE(unreach-call)
// expect: then-exit 1
#include <assert.h>
extern int read_sensor(void);

int limit(int x)
{
    if (x < -100)
        return -100;
    return x > 100 ? 100 : x;
}

int main(void)
{
    int sum = 0;
    while (1) {
        int x = read_sensor();
        sum += limit(x);
        if (x == sum)
            sum = 0;
        assert(sum != 250);
    }
}
