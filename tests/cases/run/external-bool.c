// args: run --seed 3
// expect: exit 0
// expect: last exited with status 0

/* A _Bool from outside is 0 or 1, also inside of aggregates and arrays. */
struct flags { _Bool first; int x; _Bool more[20]; struct { char c; _Bool inner; } nested[2]; };

extern struct flags shared;
struct flags ask(void);
static struct flags *volatile p;

static int sane(struct flags *f)
{
    int n = (f->first == 0 || f->first == 1) && *(unsigned char *)&f->nested[1].inner < 2;
    for (int i = 0; i < 20; i++)
        n = n && *(unsigned char *)&f->more[i] < 2;
    return n;
}

int main(void)
{
    struct flags mine = ask();
    struct { _Bool b; int x; } split;
    p = &shared;
    if (!sane(p) || !sane(&mine))
        return 1;
    return split.b != 0 && split.b != 1;
}
