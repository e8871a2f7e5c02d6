// That a variable is never what the program compares it with is told, and proved where it holds.
//
// args: infer --prove -F step --confidence 0
// expect: stdout state != 3 (proved)
// expect: no-stdout state != 4
// expect: stdout state <= 255 (proved)
extern unsigned char nondet_byte(void);

int state;

void step(unsigned char x)
{
    if (state == 3)
        state = 4;
    else
        state = x == 3 ? 0 : x;
}

int main(void)
{
    while (nondet_byte())
        step(nondet_byte());
    return 0;
}
