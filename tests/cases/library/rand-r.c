// The machine's rand_r is glibc's.
// gcc: yes
// expect: last exited with status 0
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned seed = 1;
    for (int i = 0; i < 20; i++) {
        int number = rand_r(&seed);
        printf("%d %u\n", number, seed);
    }
    return 0;
}
