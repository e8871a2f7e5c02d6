/* Matrices: products of integer and floating-point matrices and an elimination, row by row through pointers. */

#define N 140
#define ROUNDS 18

int printf(const char *, ...);

static int a[N][N], b[N][N], c[N][N];
static double x[N][N], y[N][N], z[N][N];

static void multiply_int(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void multiply_double(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double *row = x[i];
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += row[k] * y[k][j];
            z[i][j] = sum;
        }
}

static double eliminate(void)
{
    double determinant = 1;
    for (int p = 0; p < N; p++) {
        double pivot = z[p][p];
        if (pivot == 0)
            return 0;
        determinant = determinant * (pivot > 0 ? 1 : -1);
        for (int r = p + 1; r < N; r++) {
            double factor = z[r][p] / pivot;
            for (int k = p; k < N; k++)
                z[r][k] -= factor * z[p][k];
        }
    }
    return determinant;
}

int main(void)
{
    unsigned sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                a[i][j] = (i * 7 + j * 3 + round) % 101 - 50;
                b[i][j] = (i * 5 - j * 11 + round) % 97;
                x[i][j] = i == j ? N : 1.0 / (1 + i + j);
                y[i][j] = (double)(i - j) / (round + 1) + (i == j);
            }
        multiply_int();
        multiply_double();
        double determinant = eliminate();
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                sum = sum * 17 + (unsigned)c[i][j] + (unsigned)(long long)(z[i][j] * 1024);
        sum += (unsigned)(int)determinant;
    }
    printf("checksum %x\n", sum);
    return 0;
}
