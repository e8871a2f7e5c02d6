// gcc: yes
#include <stdio.h>
int main(void)
{
    int n = 0, i;
    goto inside;
    for (i = 0; i < 5; i++) {
        n += 10;
inside:
        if (n == 0) i = 1;
        n++;
    }
    printf("%d %d\n", n, i);
again:
    for (int j = 0; j < 10; j++)
        for (int k = 0; k < 10; k++)
            if (j * k == 42) { printf("%d %d\n", j, k); goto out; }
out:
    if (n++ < 40) goto again;
    {
        int fresh = 7;
        if (fresh == 7) goto end;
        printf("not here\n");
    }
end:;
    unsigned steps = 0;
    int x = 27;
loop:
    if (x == 1) goto done;
    x = x % 2 ? 3 * x + 1 : x / 2;
    steps++;
    goto loop;
done:
    printf("%u\n", steps);
    return 0;
}
