// args: show features --json
// expect: stdout "FIELDS":2.0
// expect: stdout "FUNCS":2.0
// expect: stdout "byModel":false
// expect: no-stdout "metric":"st"
struct flags {
    unsigned ready : 1, error : 1, unused : 6;
};
static struct flags flags;

static int is_ready(void) { return flags.ready && !flags.error; }

int main(void)
{
    flags.unused = 3;
    return is_ready() ? 0 : 1;
}
