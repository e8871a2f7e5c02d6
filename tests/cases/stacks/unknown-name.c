// A name of Plumb's own that means nothing is refused.
// args: run
// expect: exit 3
// expect: stderr Plumb does not know `__plumb_stack_swich`
extern void __plumb_stack_swich(unsigned);

int main(void)
{
    __plumb_stack_swich(1);
    return 0;
}
