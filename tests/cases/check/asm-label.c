// args: check --witness {tmp}/w.yml
// expect: exit 1
// expect: stdout violated: error-call: reach_error is called
// expect: last FALSE(unreach-call)
// expect: file w.yml LTL(G ! call(reach_error()))
// The library has an `err` of its own, which is another function than this one.
extern void err(void) __asm__("reach_error");
int main(void)
{
    err();
    return 0;
}
