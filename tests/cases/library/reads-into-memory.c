// args: check --engine bmc
// expect: exit 1
// expect: stdout the assertion `bytes[1] == 0` does not hold
#include <assert.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    unsigned char bytes[4] = {0};
    int ends[2];
    char first[2], second[4];
    struct iovec parts[2] = {{first, 2}, {second, 4}};
    long got = readv(0, parts, 2);
    assert(got >= -1 && got <= 6);
    if (pipe(ends) == 0)
        assert(ends[0] != ends[1]);
    got = pread(0, bytes, 1, 8);
    assert(got <= 1);
    getrandom(bytes, 2, 0);
    assert(bytes[2] == 0);
    assert(bytes[1] == 0);
    return 0;
}
