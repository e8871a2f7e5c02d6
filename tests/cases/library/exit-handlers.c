// gcc: yes
#include <stdio.h>
#include <stdlib.h>
static void first(void) { printf("first\n"); }
static void late(void) { printf("late\n"); }
static void second(void) { printf("second\n"); atexit(late); }
int main(void) { atexit(first); atexit(second); printf("main\n"); return 3; }
