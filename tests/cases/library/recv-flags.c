// args: check --engine bmc
// expect: exit 2
// expect: stdout recv with flags is not modelled
// expect: last UNKNOWN
// With MSG_TRUNC the length of the message is returned, however much of it fits.
#include <assert.h>
#include <sys/socket.h>

int main(void)
{
    char buffer[4];
    long got = recv(0, buffer, sizeof buffer, MSG_TRUNC);
    assert(got <= 4);
    return 0;
}
