// arch: avr
// expect: last exited with status 0
int main(void)
{
    _Static_assert(sizeof(int) == 2 && sizeof(long) == 4 && sizeof(void *) == 2 && sizeof(double) == 4, "avr");
    unsigned x = 65535; x++;
    int big = 200 * 200;
    return !(x == 0 && big == -25536 && 1UL << 16 == 65536);
}
