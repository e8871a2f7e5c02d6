// gcc evaluates the value of a range once, in the place of its first element.
// args: check
// expect: exit 3
// expect: stderr a range of a value with effects is not supported
int next(void);
int main(void) {
    return next() && ((int[2]){[0 ... 1] = next()})[0];
}
