// gcc: yes
#include <stdio.h>
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static unsigned ack(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static void hanoi(int n, int a, int b, int c, int *moves) { if (n) { hanoi(n - 1, a, c, b, moves); ++*moves; hanoi(n - 1, c, b, a, moves); } }
static int depth(int n) { int local[10]; local[n % 10] = n; return n == 0 ? 0 : 1 + depth(n - 1) + (local[n % 10] != n); }
int main(void)
{
    int moves = 0;
    hanoi(8, 1, 2, 3, &moves);
    printf("%u %u %d %d %d %d\n", fib(20), ack(2, 5), even(101), odd(101), moves, depth(5000));
    return 0;
}
