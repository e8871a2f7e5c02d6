// args: check --engine la --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "method": "abstraction"
// The value that a state variable gets comes by way of another one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = 10, next = 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 10) {
            next = __VERIFIER_nondet_int() ? 20 : 50;
            state = 30;
        } else if (state == 30) {
            state = next;
        } else if (state == 20 || state == 50) {
            state = 10;
        } else {
            reach_error();
        }
    }
    return 0;
}
