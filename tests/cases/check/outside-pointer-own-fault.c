// A violation beside a pointer from outside counts.
// args: check --checks pointer,bounds
// expect: exit 1
// expect: stdout outside-pointer-own-fault.c:14
// expect: last FALSE(valid-deref)
struct list { struct list *next; int value; };
extern struct list *take(int *count);

int main(void)
{
    int count = 0, numbers[4] = { 0 };
    struct list *one = take(&count);
    if (one != 0 && count > 0)
        return *(numbers + count);
    return 0;
}
