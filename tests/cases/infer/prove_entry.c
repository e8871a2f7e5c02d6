// At entries a fact is proved if it holds of every call in a run of the program.
//
// args: infer --prove -F keep
// expect: stdout level == 7 (proved)
// expect: stdout spare == 3
// expect: no-stdout spare == 3 (proved)
extern int nondet(void);

int level, spare = 3;

int keep(int step) { return level + spare + step; }

int main(void)
{
    int x = nondet();
    if (x == 123456789) {
        spare = 4;
        x = 0;
    }
    if (x < -100 || x > 200)
        return 0;
    level = 7;
    return keep(x);
}
