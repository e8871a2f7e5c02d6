// args: check
// expect: exit 1
// expect: stdout !is_closed() is true
// expect: stdout !(is_closed() || is_closed()) is true
// expect: last FALSE(unreach-call)
extern _Bool door(void);
extern void reach_error(void);
static int doors;
static _Bool is_closed(void)
{
    doors++;
    return door();
}
int main(void)
{
    if (!is_closed()) {
        if (!(is_closed() || is_closed()))
            reach_error();
    }
    return 0;
}
