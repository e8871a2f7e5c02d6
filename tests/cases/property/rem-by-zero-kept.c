// args: run --checks div-by-zero
// expect: exit 0
// expect: last exited with status 0
// unknown: bmc the program contains nothing that the chosen checks apply to
// unknown: symex the program contains nothing that the chosen checks apply to

int main(void)
{
    double x = 1, y = 0;
    x /= y;
    return 0;
}
