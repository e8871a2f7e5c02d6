/* <arpa/inet.h>, <endian.h>, <byteswap.h>. All machines here have the lowest byte first; networks have it last. */

unsigned __bswap_16(unsigned x) { return (x >> 8 & 0xffu) | (x & 0xffu) << 8; }

unsigned long __bswap_32(unsigned long x)
{
    return (x >> 24 & 0xffUL) | (x >> 8 & 0xff00UL) | (x & 0xff00UL) << 8 | (x & 0xffUL) << 24;
}

unsigned long long __bswap_64(unsigned long long x)
{
    return (unsigned long long)__bswap_32((unsigned long)(x & 0xffffffffULL)) << 32 | __bswap_32((unsigned long)(x >> 32));
}

unsigned htons(unsigned x) { return __bswap_16(x); }
unsigned ntohs(unsigned x) { return __bswap_16(x); }
unsigned long htonl(unsigned long x) { return __bswap_32(x); }
unsigned long ntohl(unsigned long x) { return __bswap_32(x); }
unsigned bswap_16(unsigned x) { return __bswap_16(x); }
unsigned long bswap_32(unsigned long x) { return __bswap_32(x); }
unsigned long long bswap_64(unsigned long long x) { return __bswap_64(x); }

unsigned htobe16(unsigned x) { return __bswap_16(x); }
unsigned be16toh(unsigned x) { return __bswap_16(x); }
unsigned htole16(unsigned x) { return x & 0xffffu; }
unsigned le16toh(unsigned x) { return x & 0xffffu; }
unsigned long htobe32(unsigned long x) { return __bswap_32(x); }
unsigned long be32toh(unsigned long x) { return __bswap_32(x); }
unsigned long htole32(unsigned long x) { return x & 0xffffffffUL; }
unsigned long le32toh(unsigned long x) { return x & 0xffffffffUL; }
unsigned long long htobe64(unsigned long long x) { return __bswap_64(x); }
unsigned long long be64toh(unsigned long long x) { return __bswap_64(x); }
unsigned long long htole64(unsigned long long x) { return x; }
unsigned long long le64toh(unsigned long long x) { return x; }
