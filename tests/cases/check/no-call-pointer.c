// args: check --property unreach.prp
// expect: exit 1
// expect: stdout violated: error-call: the error function reach_error is called through a pointer
// expect: last FALSE(unreach-call)
extern _Bool button(void);
void reach_error(void) {}
static void nothing(void) {}
int main(void)
{
    void (*handler)(void) = button() ? reach_error : nothing;
    handler();
    return 0;
}
