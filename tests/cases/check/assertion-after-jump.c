// args: check
// expect: exit 0
// expect: stdout holds: every assertion of the program is constant or unreachable
// expect: last TRUE
/* What follows a jump that is always taken is no program without assertions. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    while (1) {
        int x = __VERIFIER_nondet_int();
        if (-2)
            continue;
        if (x)
            reach_error();
    }
}
