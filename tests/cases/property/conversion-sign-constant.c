// args: run --checks conversion
// expect: exit 1
// verdict: FALSE(conversion)
// expect: stdout violated: conversion

int main(void)
{
    unsigned char c = -1;
    (void)c;
    return 0;
}
