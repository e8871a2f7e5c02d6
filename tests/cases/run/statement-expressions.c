// gcc: yes
#include <stdio.h>
#define max(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
struct p { int a, b; };
int main(void)
{
    int i = 3;
    printf("%d ", max(i++, 2)); printf("%d\n", i);
    printf("%g\n", max(2.5, 1));
    int n = ({ int s = 0; for (int k = 0; k < 5; k++) { if (k == 3) break; s += k; } s; });
    struct p q = ({ struct p t = { 1, n }; t; });
    printf("%d %d\n", n, q.b);
    int z = ({ if (n == 3) goto out; 5; });
    printf("no %d\n", z);
out:
    printf("%d\n", ({ ({ i; }) + 1; }));
    ({ i = 9; (void)0; });
    return i;
}
