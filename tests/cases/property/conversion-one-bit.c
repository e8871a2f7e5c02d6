// args: run --checks conversion
// expect: exit 1
// verdict: FALSE(conversion)
// expect: stdout violated: conversion: a conversion to a signed integer of 1 bits

/* A signed bit-field of one bit holds 0 and -1. */
struct { signed int on : 1; } control;

int main(void)
{
    control.on = -1;
    control.on = 1;
    return control.on;
}
