// args: run --checks div-by-zero
// expect: exit 0
// expect: last exited with status 0
// unknown: bmc the program has nothing that the chosen checks look at
// unknown: symex the program has nothing that the chosen checks look at

int main(void)
{
    double x = 1, y = 0;
    x /= y;
    return 0;
}
