// The harness of a static entry function builds and fails, and the input is named by its function and parameter.
// args: check --entry scaled --checks overflow --harness {tmp}/h.c
// expect: exit 1
// expect: last FALSE(no-overflow)
// expect: stdout argument raw of scaled = 
// expect: stdout objcopy --globalize-symbol=scaled
// expect: no-stdout argument of main
// expect: file h.c scaled(
static int scaled(int raw)
{
    return raw * 3;
}

int (*table[])(int) = { scaled };
