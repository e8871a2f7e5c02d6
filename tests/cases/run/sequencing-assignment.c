// args: run
// expect: last exited with status 0
// gcc: yes

/* gcc's choice where C leaves it open: the operands of the value's operator, the target's address, the operator. */
int printf(const char *, ...);

static int g, arr[8], *pa;
static int inc(void) { return ++g; }
static int *adv(void) { return ++pa; }
static int bump(int k) { arr[k] += 10; return k; }

static void reset(void)
{
    g = 1;
    pa = arr;
    for (int i = 0; i < 8; i++)
        arr[i] = i;
}

static void show(void)
{
    for (int i = 0; i < 8; i++)
        printf("%d ", arr[i]);
    printf("%d\n", g);
    reset();
}

int main(void)
{
    reset();
    arr[inc()] += g, show();
    arr[bump(2)] += arr[2], show();
    *adv() = inc() + (pa - arr), show();
    arr[inc()] = arr[g] = 3, show();
    arr[g] = arr[inc()] = 3, show();
    arr[g] = inc(), show();
    arr[inc()] = g, show();
    return 0;
}
