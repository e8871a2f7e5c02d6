// The size of an enumeration by mode, by packed and by its values.
// arch: 32 64
// gcc: yes
#include <stdio.h>
enum Byte { B0, B1 } __attribute__((mode(QI)));
enum Half { H0 = -1, H1 } __attribute__((mode(HI)));
enum Wide { W0, W1 } __attribute__((mode(DI)));
enum __attribute__((packed)) Packed { P0 = -129, P1 };
enum Aligned { A0 } __attribute__((aligned(8)));
struct Record {
    enum Byte byte;
    char c;
    enum Half half;
    enum Wide wide;
    enum Packed packed;
    enum Byte bits : 3;
};
int main(void)
{
    struct Record r = {B1, 2, H0, W1, P0, B1};
    printf("%d %d %d %d %d\n", (int)sizeof(enum Byte), (int)sizeof(enum Half), (int)sizeof(enum Wide),
           (int)sizeof(enum Packed), (int)sizeof r);
    printf("%d %d %d %d %d\n", r.byte - 2 < 0, r.half, (int)r.wide, r.packed, r.bits);
    printf("%d %d\n", (int)sizeof(enum Aligned), (int)_Alignof(enum Aligned));
    return 0;
}
