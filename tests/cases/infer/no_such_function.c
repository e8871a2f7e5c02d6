// args: infer -F missing
// expect: exit 3
// expect: stderr error: the program defines no function `missing`
// expect: stderr help: name a function that has a body, or leave out -F
int main(void)
{
    return 0;
}
