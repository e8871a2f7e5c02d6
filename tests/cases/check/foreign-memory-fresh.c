// Pointers in fresh memory lead to memory from outside, on machines of 32 bits too.
// args: check --engine bmc --arch 32 --missing nothing
// expect: exit 0
// expect: stdout assumed: pointers from outside that are dereferenced lead to memory of arbitrary content that is no object or function of the program
// expect: last TRUE
extern void *malloc(unsigned);
extern void reach_error(void);
struct node { int a; struct node *next; int b; };

int main(void)
{
    struct node *p = malloc(sizeof *p);
    int kept = 1;
    p->b = 1;
    p->next->a = 7;
    if (p->b != 1 || kept != 1)
        reach_error();
    if (p->next->a != 7)
        reach_error();
    return 0;
}
