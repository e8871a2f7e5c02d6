// One past the last row ends a walk over the rows.
// args: check --checks bounds,pointer --engine bmc
// expect: exit 0
// expect: last TRUE
struct packet { short pair[2][2]; int length; };
int main(void) {
    struct packet packet = { { { 1, 2 }, { 3, 4 } }, 1 };
    int two = 2, sum = 0;
    for (short *p = packet.pair[0]; p != packet.pair[two]; p++)
        sum += *p;
    for (short (*row)[2] = packet.pair; row != &packet.pair[two]; row++)
        sum += (*row)[1];
    return sum;
}
