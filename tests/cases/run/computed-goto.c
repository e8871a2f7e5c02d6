// gcc: yes
#include <stdio.h>
enum { PUSH, ADD, MUL, PRINT, HALT };
static void run(const int *code)
{
    static const void *const table[] = { &&push, &&add, &&mul, &&print, &&halt };
    int stack[16], sp = 0;
    goto *table[*code++];
push: stack[sp++] = *code++; goto *table[*code++];
add: sp--; stack[sp - 1] += stack[sp]; goto *table[*code++];
mul: sp--; stack[sp - 1] *= stack[sp]; goto *table[*code++];
print: printf("%d\n", stack[sp - 1]); goto *table[*code++];
halt: return;
}
int main(void)
{
    int code[] = { PUSH, 2, PUSH, 3, ADD, PRINT, PUSH, 7, MUL, PRINT, HALT };
    run(code);
    void *p = &&there;
    int n = 0;
    if (n == 0) goto *p;
    printf("skipped\n");
there:
    printf("there\n");
    return 0;
}
