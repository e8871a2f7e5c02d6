// gcc: yes
// arch: 32 64
#include <stdio.h>
int main(void)
{
    const char *t[] = { "99999999999999999999999", "-99999999999999999999999", "4294967296", "-1", "ffffffffffffffffffff", "7" };
    for (int i = 0; i < 6; i++) {
        int d = 0; unsigned u = 0; long l = 0; unsigned long ul = 0; long long ll = 0; unsigned x = 0; short h = 0;
        printf("%d ", sscanf(t[i], "%d", &d)); printf("%d ", sscanf(t[i], "%u", &u)); printf("%d ", sscanf(t[i], "%ld", &l));
        sscanf(t[i], "%lu", &ul); sscanf(t[i], "%lld", &ll); sscanf(t[i], "%x", &x); sscanf(t[i], "%hd", &h);
        printf("%d %u %ld %lu %lld %x %d\n", d, u, l, ul, ll, x, h);
    }
    return 0;
}
