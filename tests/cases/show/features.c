// args: show features
// expect: stdout LOOPS              2  number of loops in a program
// expect: stdout MXLPFN             2
// expect: stdout FUNCS              3
// expect: stdout MXCALLS            2
// expect: stdout VARS               5
// expect: stdout VARSASM            5
// expect: stdout VARSLOOP           3
// expect: stdout VARSINC            2
// expect: stdout FIELDS             0
// expect: stdout MXCC               3
// expect: stdout metric for bam: lf
/* The program of Figure 7.5 of Lee's thesis, with a main function around it. */
void abort(void);

static void f(int i)
{
    int a, b, c = 0;
    for (a = 0; a < i; a++) {
        for (b = 0; b < i; b++) {
            c++;
        }
    }
}

static void search(int *x, int k)
{
    if (x[1] > x[2]) {
        f(x[1]);
        if (k == 0) {
            x[2] = x[1];
        } else {
            x[1] = x[2];
        }
    } else {
        f(x[2]);
    }
    if (x[1] > x[2]) {
        abort();
    }
}

int main(void)
{
    int y[3] = { 1, 2, 3 };
    search(y, 0);
    return 0;
}
