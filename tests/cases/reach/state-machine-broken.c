// args: check --engine la --search dfs
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = 10, next = 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 10) {
            next = __VERIFIER_nondet_int() ? 20 : 51;
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
