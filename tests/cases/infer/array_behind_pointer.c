// Elements from a parameter to the end of the object that it points into, of objects of different sizes.
//
// args: infer
// expect: stdout     n == size(a)
// expect: stdout     \forall integer k; 0 <= k < size(a) - 1 ==> a[k] <= a[k + 1]
// expect: stdout     \forall integer k; 0 <= k < size(p) ==> p[k] == 0
// expect: stdout     s != 0 ==> size(s) == 3
// expect: no-stdout size(out)
// expect: no-stdout a[k] == *a
// expect: no-stdout size(\old(a)) == size(a)
extern unsigned char nondet_byte(void);
extern int nondet(void);

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

void sort(int *a, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++)
            if (a[j] < a[i]) {
                int old = a[j];
                a[j] = a[i], a[i] = old;
            }
}

void clear(short *p, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = 0;
}

int first(const char *s) { return s ? s[0] : -1; }

void set(int *out, int v) { *out = v; }

int main(void)
{
    int small[3], large[7], one;
    short other[4];
    for (int i = 0; i < 3; i++)
        small[i] = nondet();
    for (int i = 0; i < 7; i++)
        large[i] = nondet_byte();
    sort(small, COUNT(small));
    sort(large, COUNT(large));
    clear(other, COUNT(other));
    first(nondet() & 1 ? "ab" : 0);
    set(&one, nondet());
    return 0;
}
