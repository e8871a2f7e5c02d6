// args: run --checks conversion
// expect: exit 1
// verdict: FALSE(conversion)
// expect: stdout violated: conversion

int main(void)
{
    int x = 300;
    unsigned char c = x;
    return 0;
}
