// arch: 32 64
// gcc: yes
#include <stdio.h>
static int sum(int n, int m, int a[n][m])
{
    int s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j];
    return s;
}
int main(void)
{
    for (int n = 1; n < 5; n++) {
        int a[n], m = n + 1;
        int b[n][m];
        for (int i = 0; i < n; i++) { a[i] = i * i; for (int j = 0; j < m; j++) b[i][j] = i * j + a[i]; }
        typedef int row[m];
        row *p = b;
        n += 0;
        printf("%d %zu %zu %zu %d %d\n", n, sizeof a / sizeof *a, sizeof b / sizeof(int), sizeof(row) / sizeof(int), sum(n, m, b), p[n - 1][n]);
    }
    int k = 3;
    int v[k++];
    printf("%d %zu\n", k, sizeof v / sizeof *v);
    int q = 2;
    int size = sizeof(int[q++]); printf("%d %d\n", size, q);
    return 0;
}
