// What a string leaves of its array is zero, every time that the declaration is reached.
// gcc: yes
#include <stdio.h>
struct label { char text[5], more[4]; };
int main(void)
{
    for (int i = 0; i < 2; i++) {
        char word[6] = "bcd";
        struct label label = { "a", "xy" };
        char rows[2][4] = { "p", "qr" };
        char *bytes[3] = { word, (char *)&label, rows[0] };
        int sizes[3] = { sizeof word, sizeof label, sizeof rows };
        for (int object = 0; object < 3; object++)
            for (int at = 0; at < sizes[object]; at++) {
                printf("%d ", bytes[object][at]);
                bytes[object][at] = 7;
            }
        printf("\n");
    }
    return 0;
}
