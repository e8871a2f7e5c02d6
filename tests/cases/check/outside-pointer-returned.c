// What a pointer from a missing function points to is not in the program: no violation rests on it.
// args: check --checks pointer --timeout 5
// expect: exit 2
// expect: reason was found only through a pointer that a function without a body returned or left in memory
// expect: reason a run may do something that is not modelled
// expect: last UNKNOWN
struct list { struct list *next; int value; };
extern struct list *take(void);

int main(void)
{
    struct list *one = take();
    return one ? one->value : 0;
}
