// args: check
// expect: exit 3
// expect: stderr alignment of more than 16 bytes is not modelled
int main(void)
{
    char *p = __builtin_alloca_with_align(8, 256);
    return p == 0;
}
