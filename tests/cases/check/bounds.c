// args: check --checks bounds
// expect: exit 1
// expect: stdout violated: bounds:
// expect: last FALSE(valid-deref)
extern unsigned char channel(void);
static int gain[16];
int main(void)
{
    return gain[channel() & 0x1f];
}
