// Under the competition's rule a missing function returns any number.
// args: check --property memsafety.prp
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: last FALSE(valid-deref)
struct list { struct list *next; int value; };
extern struct list *take(void);

int main(void)
{
    struct list *one = take();
    return one ? one->value : 0;
}
