// Null is no pointer to something outside.
// args: check --checks pointer
// expect: exit 1
// expect: last FALSE(valid-deref)
struct list { struct list *next; int value; };
extern struct list *take(void);

int main(void)
{
    return take()->value;
}
