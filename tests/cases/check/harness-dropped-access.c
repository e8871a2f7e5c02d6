// gcc drops an access whose value nobody uses, before a sanitizer looks at it.
// args: check --checks pointer --harness {tmp}/h.c
// expect: exit 1
// expect: stdout the harness cannot keep gcc from dropping the expression at harness-dropped-access.c:11
// expect: last FALSE(valid-deref)
struct node {
    int value;
};
int main(void) {
    struct node *p = 0;
    p->value;
    return 0;
}
