// The example of Kim and Choi, "PBE-Based Selective Abstraction and Refinement for Efficient Property Falsification of
// Embedded Software" (FSE 2024), Fig. 2, with the numbers of its statements.
//
// args: show summaries
// expect: stdout main: starts the program
// expect: stdout process: auxiliary
// expect: stdout check: auxiliary
// expect: stdout update: not auxiliary: writes the global `speed`
// expect: stdout :29: check: deterministic, not replaced
// expect: stdout :32: process: independent, replaced by any result in range
// expect: stdout :33: check: dependent, worth a summary
// then: check --engine pbe --no-cache --timeout 300
// expect: then FALSE(unreach-call)
// expect: then-exit 1
#include <assert.h>

extern int read_sensor(void);
int process(int x);
int check(int a, int b);
void update(int data);

int speed = 0;

int main(void)
{
    int in, data, timer;

    /* the statements */
    /*  1 */ timer = check(0, 0);
    /*  2 */ while (1) {
    /*  3 */     in = read_sensor();
    /*  4 */     data = process(in);
    /*  5 */     if (check(speed, data))
    /*  6 */         update(data);
    /*  7 */     if (speed >= 50)
    /*  8 */         timer = timer + 1;
    /*  9 */     else timer = 0;
    /* 10 */     assert(timer < 10); }
}

int process(int x)
{
    /* 11 */ if (x < 30)
    /* 12 */     return 0;
    /* 13 */ else if (x < 50)
    /* 14 */     return 1;
    /* 15 */ else return 2;
}

int check(int a, int b)
{
    /* 16 */ if (a < 0)
    /* 17 */     a = -a;
    /* 18 */ if (b < 0)
    /* 19 */     b = -b;
    /* 20 */ while (b != 0) {
    /* 21 */     int t = b;
    /* 22 */     b = a % b;
    /* 23 */     a = t; }
    /* 24 */ return a;
}

void update(int data)
{
    /* 25 */ if (data == 0)
    /* 26 */     speed = speed - 30;
    /* 27 */ else if (data == 1)
    /* 28 */     speed = speed - 20;
    /* 29 */ else speed = speed + 50;
}
