// args: check --checks div-by-zero
// expect: exit 1
// expect: stdout violated: div-by-zero:
// expect: last FALSE(div-by-zero)
extern unsigned char ratio(void);
int main(void)
{
    for (;;) {
        unsigned char r = ratio();
        if (1000 / r > 900)
            break;
    }
    return 0;
}
