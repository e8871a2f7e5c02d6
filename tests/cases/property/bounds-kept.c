// args: run --checks bounds
// expect: exit 0
// expect: last exited with status 0
int a[4];
int main(void)
{
    for (int i = 0; i < 4; i++) a[i] = i;
    return 0;
}
