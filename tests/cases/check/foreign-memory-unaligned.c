// args: check --engine bmc --missing nothing
// expect: exit 0
// expect: last TRUE
// An access whose alignment nobody knows has to do with two neighbouring elements of memory from outside: it leaves the other
// bytes of both as they are, at whatever place in them.
struct wide { char a; long b; short c; char d; } __attribute__((packed));
extern struct wide *external(void);
extern void reach_error(void);
int main(void)
{
    struct wide *p = external();
    unsigned char *bytes = (unsigned char *)p;
    if (!p)
        return 0;
    p->a = 1;
    p->d = 7;
    p->c = 0x5152;
    p->b = 0x4142434445464748;
    if (p->a != 1 || p->d != 7 || p->c != 0x5152 || p->b != 0x4142434445464748)
        reach_error();
    for (int i = 0; i < 8; i++)
        if (bytes[1 + i] != 0x48 - i)
            reach_error();
    return 0;
}
