// POSIX has the formula of these generators.
// gcc: yes
// expect: last exited with status 0
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned short state[3] = {1, 0xffff, 77};
    for (int i = 0; i < 20; i++) {
        printf("%ld %ld %.17g\n", nrand48(state), jrand48(state), erand48(state));
        printf("%x %x %x\n", state[0], state[1], state[2]);
    }
    srand48(-12345);
    for (int i = 0; i < 20; i++)
        printf("%ld %ld %.17g\n", lrand48(), mrand48(), drand48());
    return 0;
}
