// args: check --engine simulate --timeout 20
// expect: exit 2
// expect: stdout other runs are possible where objects have other addresses
// expect: last UNKNOWN
#include <assert.h>
#include <string.h>

/* The words are those of the library. */
int main(void)
{
    assert(strcmp(strerror(2), "No such file or directory") == 0);
    return 0;
}
