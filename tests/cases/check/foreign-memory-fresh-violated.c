// What pointers in fresh memory lead to holds anything, on machines of 32 bits too, and the harness shows it.
// args: check --engine bmc --arch 32 --missing nothing --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(unreach-call)
extern void *malloc(unsigned);
extern void reach_error(void);
struct node { int a; struct node *next; };

int main(void)
{
    struct node *p = malloc(sizeof *p);
    if (p->next->a == 12345)
        reach_error();
    return 0;
}
