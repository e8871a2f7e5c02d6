// One past the last row has an address, but no elements: `pair[2][1]` is another member of the structure.
// args: check --checks bounds,pointer --engine bmc
// expect: exit 1
// verdict: FALSE(valid-deref)
// expect: stdout an array of 2 elements
extern unsigned char __VERIFIER_nondet_uchar(void);
struct packet { short pair[2][2]; int length; };
int main(void) {
    struct packet packet = { { { 0 } }, 1 };
    struct packet *p = &packet;
    unsigned row = __VERIFIER_nondet_uchar();
    if (row <= 2)
        p->pair[row][1] = 5;
    return packet.length;
}
