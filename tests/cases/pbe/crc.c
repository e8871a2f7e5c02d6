// The checksum of a record that is one byte, repeated: a cyclic redundancy check over x^8 + 1, bit by bit. Three long records in a
// row, each with the seal of its checksum, open the lock.
//
// args: check --engine pbe --no-cache --timeout 300
// expect: exit 1
// expect: last FALSE(unreach-call)
#include <assert.h>
extern unsigned receive(void);
extern unsigned char read_byte(void);
extern unsigned short read_length(void);

unsigned char crc(unsigned char byte, unsigned short length)
{
    unsigned char rest = 0;
    while (length > 0) {
        int i;
        rest ^= byte;
        for (i = 0; i < 8; i++)
            rest = rest & 0x80 ? (unsigned char)(rest << 1 ^ 0x01) : (unsigned char)(rest << 1);
        length--;
    }
    return rest;
}

int main(void)
{
    unsigned stage = 0;
    while (1) {
        unsigned char byte = read_byte();
        unsigned short length = read_length();
        unsigned seal = receive();
        if (length > 3000 && crc(byte, length) == 0xa5 && seal * 2654435761u == 0x31c80000u + stage)
            stage++;
        assert(stage < 3);
    }
}
