// args: check --engine kind --witness {tmp}/w.yml
// then: validate --witness {tmp}/w.yml
// expect: last TRUE
// expect: file w.yml value: "x < 11"
// expect: then confirmed
// What is declared behind the loop is told as well.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void tick(void);

int main(void)
{
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        if (x < 10)
            x++;
        tick();
        if (x > 10)
            reach_error();
    }
    return 0;
}

static int level;

void tick(void)
{
    if (level < 5)
        level++;
}
