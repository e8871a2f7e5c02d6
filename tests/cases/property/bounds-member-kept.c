// args: run --checks bounds
// expect: exit 0
// expect: last exited with status 0
struct { int a, b[3], c; } s;
int main(void)
{
    int i = 2;
    s.b[i] = 1;
    return 0;
}
