// args: check --engine bmc
// expect: exit 1
// expect: last FALSE(unreach-call)
// The two ways write scalars that overlap: where they meet no byte of either is lost.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#pragma pack(1)
union Both { struct { int a; int b; } x; struct { short s; long long l; } y; } both;
union Both *volatile at = &both;
int main(void)
{
    int c = __VERIFIER_nondet_int();
    union Both *q = at;
    if (c)
        q->x.a = 5;
    else
        q->y.l = 0x0102030405060708;
    if (c && q->x.b == 0)
        reach_error();
    return 0;
}
