// args: check --engine kind
// expect: exit 2
// expect: stdout no answer: k-induction up to k = 24 proves nothing: no sufficient inductive invariants were found
// expect: last UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
enum { OFF, STARTING, ON, STOPPING };
int main(void)
{
    int state = OFF, motor = 0, brake = 1;
    for (;;) {
        int command = __VERIFIER_nondet_int();
        switch (state) {
        case OFF:
            if (command == 1) {
                brake = 0;
                state = STARTING;
            }
            break;
        case STARTING:
            motor = 1;
            brake = command == 777777;
            state = ON;
            break;
        case ON:
            if (command == 2) {
                motor = 0;
                state = STOPPING;
            }
            break;
        case STOPPING:
            brake = 1;
            state = OFF;
            break;
        default:
            assert(0);
        }
        assert(!(motor && brake));
    }
}
