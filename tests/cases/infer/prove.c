// What holds of every call is proved, by induction where the function calls itself; what holds of these runs only is not.
//
// args: infer --prove
// expect: stdout \result == 91 (proved)
// expect: stdout of them are proved
// expect: stdout level == 7
// expect: no-stdout level == 7 (proved)
extern int nondet(void);

int level;

int f91(int x)
{
    if (x > 100)
        return x - 10;
    return f91(f91(x + 11));
}

int keep(int step)
{
    if (step == 123456789)
        level = 8;
    return level;
}

int main(void)
{
    int x = nondet();
    if (x < -100 || x > 200)
        return 0;
    level = 7;
    keep(x);
    return f91(x);
}
