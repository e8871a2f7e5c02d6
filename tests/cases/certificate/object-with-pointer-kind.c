// args: check --engine kind --certificate {tmp}/c.json
// then: validate --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// What is known of a scalar beside a pointer is said of the scalar, not of its initial value.
extern int nondet(void);
int x, y;
struct S { int *p; int n; } s = { &x, 0 };
static void tick(struct S *q) { q->n++; if (q->n > 10) q->n = 0; q->p = q->n & 1 ? &x : &y; }
int main(void) {
    while (nondet()) {
        tick(&s);
        __CPROVER_assert(s.n <= 10, "n");
    }
    __CPROVER_assert(s.n >= 0, "n");
    return 0;
}
