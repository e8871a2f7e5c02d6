// expect: exit 3
// expect: stderr types-several.c:9:
// expect: stderr types-several.c:10:
// expect: stderr types-several.c:11:
// expect: stderr types-several.c:12:
struct s { int a; };
int main(void)
{
    undeclared = 1;
    struct s v = 5;
    v.b = 2;
    int *p = v; return *3;
}
