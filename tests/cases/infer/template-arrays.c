// Each template of arrays and of what pointers lead to, as in template-scalars.c: all elements are equal to a constant, bounded,
// in order, equal to their index; none is; cells behind parameters.
//
// args: infer --prove
// expect: stdout \forall integer k; 0 <= k < 6 ==> cleared[k] == 5 (proved)
// expect: stdout \forall integer k; 0 <= k < 6 ==> nearly[k] == 4
// expect: no-stdout \forall integer k; 0 <= k < 6 ==> nearly[k] == 4 (proved)
// expect: stdout \forall integer k; 0 <= k < 6 ==> ramp[k] == k (proved)
// expect: stdout \forall integer k; 0 <= k < 6 ==> small[k] <= 8 (proved)
// expect: stdout \forall integer k; 0 <= k < 3 ==> sorted[k] <= sorted[k + 1] (proved)
// expect: stdout \forall integer k; 0 <= k < 3 ==> mostly[k] <= mostly[k + 1]
// expect: no-stdout \forall integer k; 0 <= k < 3 ==> mostly[k] <= mostly[k + 1] (proved)
// expect: stdout \old(*q) == *p (proved)
// expect: stdout \old(*s) == *r
// expect: no-stdout \old(*s) == *r (proved)
extern int nondet(void);
extern unsigned char nondet_byte(void);

#define RARE 123456789

int cleared[6], nearly[6], ramp[6], small[6], sorted[4], mostly[4];
void clear(void) { for (int i = 0; i < 6; i++) cleared[i] = 5; }
void clear_but(int rare) { for (int i = 0; i < 6; i++) nearly[i] = i == 3 && rare == RARE ? 1 : 4; }
void index(void) { for (int i = 0; i < 6; i++) ramp[i] = i; }
void bound(void) { for (int i = 0; i < 6; i++) small[i] = nondet_byte() % 9; }
void sort(unsigned char a, unsigned char b)
{
    sorted[0] = -1, sorted[1] = a < b ? a : b, sorted[2] = a < b ? b : a, sorted[3] = 300;
}
void sort_but(unsigned char a, unsigned char b, int rare)
{
    mostly[0] = rare == RARE ? 400 : -1, mostly[1] = a < b ? a : b, mostly[2] = a < b ? b : a, mostly[3] = 300;
}
void exchange(int *p, int *q) { int old = *p; *p = *q, *q = old; }
void exchange_but(int *r, int *s, int rare) { int old = *r; *r = rare == RARE ? 0 : *s, *s = old; }

int main(void)
{
    int a = nondet(), b = nondet(), rare = nondet();
    clear(), clear_but(rare), index(), bound();
    sort(nondet_byte(), nondet_byte()), sort_but(nondet_byte(), nondet_byte(), rare);
    exchange(&a, &b), exchange_but(&a, &b, rare);
    return 0;
}
