/* <ctype.h> in the C locale. The header's macros read tables through glibc's __ctype_*_loc; programs without that header
 * call the functions. */

/* Bits as glibc has them on little-endian machines. Index 128 is character 0; -1 is EOF. */
static const unsigned short __plumb_ctype_bits[384] = {
    [128 + 0 ... 128 + 31] = 0x0002,
    [128 + 9] = 0x2003,
    [128 + 10 ... 128 + 13] = 0x2002,
    [128 + ' '] = 0x6001,
    [128 + '!' ... 128 + '/'] = 0xc004,
    [128 + '0' ... 128 + '9'] = 0xd808,
    [128 + ':' ... 128 + '@'] = 0xc004,
    [128 + 'A' ... 128 + 'F'] = 0xd508,
    [128 + 'G' ... 128 + 'Z'] = 0xc508,
    [128 + '[' ... 128 + '`'] = 0xc004,
    [128 + 'a' ... 128 + 'f'] = 0xd608,
    [128 + 'g' ... 128 + 'z'] = 0xc608,
    [128 + '{' ... 128 + '~'] = 0xc004,
    [128 + 127] = 0x0002,
};

/* Characters -128 to -2 stand for 128 to 254, so that both signs of char work. */
static const int __plumb_upper_table[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
    96, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

static const int __plumb_lower_table[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 91, 92, 93, 94, 95,
    96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

static const unsigned short *__plumb_ctype_bits_at = __plumb_ctype_bits + 128;
static const int *__plumb_upper_at = __plumb_upper_table + 128;
static const int *__plumb_lower_at = __plumb_lower_table + 128;

const unsigned short **__ctype_b_loc(void) { return &__plumb_ctype_bits_at; }
const int **__ctype_toupper_loc(void) { return &__plumb_upper_at; }
const int **__ctype_tolower_loc(void) { return &__plumb_lower_at; }
size_t __ctype_get_mb_cur_max(void) { return 1; }

/* Where C wants a value that is not zero, glibc returns the bit of its table; gcc compiles isdigit and isascii to 0 or 1. */
static int __plumb_class(int c, int bit)
{
    return c >= -128 && c <= 255 ? __plumb_open_truth(__plumb_ctype_bits[c + 128] & bit) : 0;
}

static int __plumb_is_lower(int c) { return c >= 'a' && c <= 'z'; }
static int __plumb_is_upper(int c) { return c >= 'A' && c <= 'Z'; }

int isdigit(int c) { return __plumb_open_truth(c >= '0' && c <= '9'); }
int islower(int c) { return __plumb_class(c, 0x0200); }
int isupper(int c) { return __plumb_class(c, 0x0100); }
int isalpha(int c) { return __plumb_class(c, 0x0400); }
int isalnum(int c) { return __plumb_class(c, 0x0008); }
int isblank(int c) { return __plumb_class(c, 0x0001); }
int isspace(int c) { return __plumb_class(c, 0x2000); }
int iscntrl(int c) { return __plumb_class(c, 0x0002); }
int isprint(int c) { return __plumb_class(c, 0x4000); }
int isgraph(int c) { return __plumb_class(c, 0x8000); }
int ispunct(int c) { return __plumb_class(c, 0x0004); }
int isxdigit(int c) { return __plumb_class(c, 0x1000); }
int isascii(int c) { return __plumb_open_truth(c >= 0 && c < 128); }
int toascii(int c) { return c & 127; }
int toupper(int c) { return __plumb_is_lower(c) ? c - 'a' + 'A' : c; }
int tolower(int c) { return __plumb_is_upper(c) ? c - 'A' + 'a' : c; }
int _toupper(int c) { return c - 'a' + 'A'; }
int _tolower(int c) { return c - 'A' + 'a'; }

/* Texts changed in place, as avr-libc and newlib have it. */

char *strupr(char *text)
{
    for (char *at = text; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

char *strlwr(char *text)
{
    for (char *at = text; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return text;
}
