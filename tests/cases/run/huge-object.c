// args: run --arch 64
// expect: exit 0
// expect: last exited with status 0

/* An object as large as a disk: what it starts with is arbitrary, and most of it is never touched. */
struct huge { char first; char more[1UL << 40]; char last; };

extern struct huge shared;

int main(void)
{
    shared.more[1UL << 39] = 5;
    shared.last = 3;
    return shared.more[1UL << 39] + shared.last - 8;
}
