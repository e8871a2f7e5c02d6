// args: check --engine bmc
// arch: 64 32
// expect: last TRUE
#include <arpa/inet.h>
#include <assert.h>
#include <byteswap.h>
#include <endian.h>
#include <stdint.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void)
{
    uint16_t s = __VERIFIER_nondet_ushort();
    uint32_t i = __VERIFIER_nondet_uint();
    uint64_t l = __VERIFIER_nondet_ulonglong();
    assert(ntohs(htons(s)) == s && htons(0x1234) == 0x3412);
    assert(ntohl(htonl(i)) == i && htonl(0x12345678) == 0x78563412);
    assert(*(unsigned char *)&(uint32_t){htonl(i)} == i >> 24);
    assert(be64toh(htobe64(l)) == l && le32toh(htole32(i)) == i);
    assert(bswap_64(0x0102030405060708ULL) == 0x0807060504030201ULL && be16toh(htobe16(s)) == s);
    return 0;
}
