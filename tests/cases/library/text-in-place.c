// Functions of newlib and avr-libc change a text where it lies.
// args: check --property ../check/unreach.prp
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void reach_error(void);
char *strupr(char *);
char *strlwr(char *);
char *strrev(char *);
int strcmp(const char *, const char *);

int main(void)
{
    char up[] = "a1z{", down[] = "A1Z[", back[] = "abc", even[] = "wxyz";
    strrev(strupr(up));
    strlwr(down);
    strrev(back);
    strrev(even);
    if (!strcmp(up, "{Z1A") && !strcmp(down, "a1z[") && !strcmp(back, "cba") && !strcmp(even, "zyxw"))
        reach_error();
    return 0;
}
