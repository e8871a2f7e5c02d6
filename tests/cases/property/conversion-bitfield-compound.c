// args: run --checks conversion
// expect: exit 1
// verdict: FALSE(conversion)
// expect: stdout violated: conversion

int main(void)
{
    struct { unsigned a : 3; } s = { 7 };
    s.a += 2;
    return 0;
}
