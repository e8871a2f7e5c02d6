// args: run --checks pointer --inputs weak-missing.txt
// expect: exit 1
// expect: stdout violated: pointer

/* Each weak function exists or not; the first one here does, the second one does not. */
extern int there(void) __attribute__((weak));
extern int missing(void) __attribute__((weak));
int (*volatile table[2])(void);

int main(void)
{
    if (!there || there() != 5)
        return 0;
    if (missing)
        return 0;
    table[0] = there;
    if (table[0] == 0 || table[0]() != 6)
        return 0;
    return missing();
}
