// args: run
// gcc: yes
// Cleanup functions are called on every way out of a scope, in reverse order, and after the value of a return is computed.
#include <assert.h>

static int calls, order;

static void down(int *p) { calls++; order = order * 10 + *p; }
static void drop(int **p) { calls++; **p = -1; }

static int by_return(int n)
{
    int a __attribute__((cleanup(down))) = 1;
    if (n > 5) {
        int b __attribute__((__cleanup__(down))) = 2;
        return n + a;
    }
    int c __attribute__((cleanup(down))) = 3;
    return a + c;
}

static int changed_after_return(void)
{
    int value = 7;
    int *p __attribute__((cleanup(drop))) = &value;
    return value;
}

struct pair { int a, b; };

static struct pair record_after_return(void)
{
    struct pair value = { 1, 2 };
    int *p __attribute__((cleanup(drop))) = &value.a;
    return value;
}

static int by_jumps(int n)
{
    int rounds = 0;
    for (int i = 0; i < n; i++) {
        int r __attribute__((cleanup(down))) = 4;
        if (i == 1)
            continue;
        if (i == 3)
            break;
        rounds++;
    }
again:;
    int d __attribute__((cleanup(down))) = 5;
    if (rounds++ < 3)
        goto again;
    switch (n) {
    case 1: {
        int e __attribute__((cleanup(down))) = 6;
        break;
    }
    default:
        rounds += 100;
    }
    return rounds;
}

/* As avr-libc's ATOMIC_BLOCK does it. */
static int in_a_for(void)
{
    int inside = 0;
    for (int saved __attribute__((cleanup(down))) = 8, todo = 1; todo; todo = 0)
        inside += calls == 0 ? saved : 1000;
    return inside;
}

static int in_an_expression(int x)
{
    return ({ int y __attribute__((cleanup(down))) = x; y * 2; }) + calls * 100;
}

int main(void)
{
    assert(by_return(9) == 10 && order == 21 && calls == 2);
    order = calls = 0;
    assert(by_return(1) == 4 && order == 31 && calls == 2);
    order = calls = 0;
    assert(changed_after_return() == 7 && calls == 1);
    calls = 0;
    assert(record_after_return().a == 1 && calls == 1);
    calls = 0;
    assert(by_jumps(1) == 4 && order == 45565 && calls == 5);
    order = calls = 0;
    assert(by_jumps(5) == 104 && order == 444455 && calls == 6);
    order = calls = 0;
    assert(in_a_for() == 8 && order == 8 && calls == 1);
    calls = 0;
    assert(in_an_expression(3) == 106 && calls == 1);
    return 0;
}
