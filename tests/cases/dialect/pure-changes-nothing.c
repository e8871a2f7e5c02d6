// What a declaration promises of a function without a body: pure and const ones change nothing, and access attributes
// name objects that are left alone.
// args: check --missing havoc
// expect: exit 0
// expect: last TRUE
#include <assert.h>
int sum(int *, int) __attribute__((pure));
int key(int *) __attribute__((const));
void show(int *, int *) __attribute__((access(read_only, 1)));
void show(int *, int *) __attribute__((access(none, 2)));
int total, number, shown, unused;
int main(void)
{
    sum(&total, 1);
    key(&number);
    show(&shown, &unused);
    assert(total == 0 && number == 0 && shown == 0 && unused == 0);
    return 0;
}
