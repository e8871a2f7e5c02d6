// files: two-files.part
// gcc: yes -fcommon
#include <stdio.h>
extern int shared;
int tentative;
static int hidden = 1;
int other(void);
static int helper(void) { return 10; }
extern int array[];
int main(void) { shared = 5; tentative++; printf("%d %d %d %d %d\n", other(), hidden, tentative, helper(), array[2]); return 0; }
