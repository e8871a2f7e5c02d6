// gcc would make an object of nine bits.
// args: check
// expect: exit 3
// expect: stderr has the width of a bit-field
struct S {
    unsigned f : 9;
};
int main(void)
{
    struct S s = {0};
    __typeof__(s.f = 1) x = 600;
    return x;
}
