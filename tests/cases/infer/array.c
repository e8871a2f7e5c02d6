// args: infer
// expect: stdout sort, exit (300 samples):
// expect: stdout     \forall integer k; 0 <= k < 4 ==> data[k] <= data[k + 1]
// expect: stdout     \forall integer k; 0 <= k < 5 ==> square[k] == 3 * k + 1
// expect: stdout     \forall integer k; 0 <= k < 5 ==> data[k] == 0
// expect: no-stdout ==> (square[k] == 1 ||
// Elements of arrays: sorted, equal to a constant, or linear in the index.
extern short __VERIFIER_nondet_short(void);
short data[5];
int square[5];
void sort(void)
{
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            if (data[j] < data[i]) {
                short swapped = data[i];
                data[i] = data[j];
                data[j] = swapped;
            }
}
void fill(void)
{
    for (int i = 0; i < 5; i++) {
        data[i] = __VERIFIER_nondet_short();
        square[i] = 3 * i + 1;
    }
}
int main(void)
{
    fill();
    sort();
    return 0;
}
