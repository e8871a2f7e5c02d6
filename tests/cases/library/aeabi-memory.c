// ARM's run-time functions for memory: the byte to store is the last argument.
// args: check --arch 32 --error-function wrong --missing nothing
// expect: exit 0
// expect: last TRUE
void __aeabi_memcpy4(void *, const void *, unsigned);
void __aeabi_memmove(void *, const void *, unsigned);
void __aeabi_memset(void *, unsigned, int);
void __aeabi_memclr8(void *, unsigned);
void wrong(void);

int main(void)
{
    char from[4] = {1, 2, 3, 4}, to[4] = {0}, full[2] = {0}, empty[2] = {9, 9};
    __aeabi_memcpy4(to, from, 4);
    __aeabi_memmove(to + 1, to, 2);
    __aeabi_memset(full, 1, 7);
    __aeabi_memclr8(empty, 2);
    if (to[0] != 1 || to[1] != 1 || to[2] != 2 || to[3] != 4 || full[0] != 7 || full[1] || empty[0] || empty[1])
        wrong();
    return 0;
}
