// Constructors run before main by ascending priority, destructors behind it the other way round, after atexit's functions.
// gcc: yes
#include <stdio.h>
#include <stdlib.h>
static int order;
__attribute__((destructor)) static void last(void) { printf("last %d\n", ++order); }
__attribute__((constructor)) static void plain(void) { printf("plain %d\n", ++order); }
__attribute__((constructor(200))) static void second(void) { printf("second %d\n", ++order); }
__attribute__((constructor(101))) static void first(void) { printf("first %d\n", ++order); }
__attribute__((destructor(101))) static void very_last(void) { printf("very last %d\n", ++order); }
static void registered(void) { printf("registered %d\n", ++order); }
int main(void)
{
    printf("main %d\n", ++order);
    atexit(registered);
    exit(0);
}
