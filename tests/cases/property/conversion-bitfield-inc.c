// args: run --checks conversion
// expect: exit 1
// verdict: FALSE(conversion)
// expect: stdout violated: conversion

int main(void)
{
    struct { int a : 3; } s = { 3 };
    s.a++;
    return 0;
}
