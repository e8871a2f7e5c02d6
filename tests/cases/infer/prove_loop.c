// At loops a fact is proved if it is an invariant of the program; what these runs happen to keep is not.
//
// args: infer --prove -F main
// expect: stdout 2 * i == even (proved)
// expect: stdout i <= 10 (proved)
// expect: stdout of them are proved
// expect: stdout rare == 0
// expect: no-stdout rare == 0 (proved)
extern int nondet(void);

int main(void)
{
    int i = 0, even = 0, rare = 0;
    while (i < 10) {
        i++;
        even += 2;
        if (nondet() == 123456789)
            rare = 1;
    }
    return even + rare;
}
