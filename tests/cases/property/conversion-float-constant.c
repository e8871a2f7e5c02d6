// args: run --checks conversion
// expect: exit 1
// verdict: FALSE(conversion)
// expect: stdout violated: conversion

int main(void)
{
    int c = 1e20;
    (void)c;
    return 0;
}
