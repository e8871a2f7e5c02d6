// args: run --seed 9 --checks assertion
// expect: last exited with status 0
#include <stdlib.h>
#include <assert.h>
#include <time.h>
int main(void)
{
    srand(time(NULL));
    for (int i = 0; i < 50; i++) {
        assert(rand() >= 0 && rand() <= RAND_MAX);
        assert(random() >= 0);
        double d = drand48(); assert(d >= 0 && d < 1);
        assert(rand() % 6 + 1 <= 6);
    }
    clock();
    return 0;
}
