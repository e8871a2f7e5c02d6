// The first element of a row, without a subscript of its own.
// args: check --checks bounds,pointer --engine bmc
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout an array of 2 elements
extern unsigned char __VERIFIER_nondet_uchar(void);
struct packet { short pair[2][2]; int length; };
int main(void) {
    struct packet packet = { { { 0 } }, 1 };
    unsigned row = __VERIFIER_nondet_uchar() % 3;
    return *packet.pair[row];
}
