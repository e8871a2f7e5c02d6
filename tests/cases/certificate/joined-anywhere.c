// args: check --engine la --checks pointer,bounds --certificate {tmp}/c.json
// then: validate --checks pointer,bounds --certificate {tmp}/c.json
// expect: last TRUE
// expect: then confirmed
// expect: file c.json "arrivals": null
// What is claimed of a loop with one entry holds wherever runs come from, through loops with several entries too.
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned is_longer = __VERIFIER_nondet_uchar() & 1;
    int sum = 0;
    char text[7] = "plumb";
    if (!is_longer)
        strcat(text, "x");
    sum += text[strlen(text)] + strlen(text);
    unsigned count = is_longer + 3;
    int *numbers = malloc(count * sizeof(int));
    for (unsigned i = 0; i < count; i++)
        numbers[i] = i;
    free(numbers);
    return sum & 1;
}
