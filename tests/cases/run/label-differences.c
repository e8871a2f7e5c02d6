// args: run
// expect: last exited with status 0
// gcc: yes

int printf(const char *, ...);

/* Dispatch by offsets from a first label, as interpreters keep them in read-only data. */
static int interpret(const unsigned char *code)
{
    static const int offset[] = { &&push - &&push, &&add - &&push, &&halt - &&push };
    int stack[8], top = 0;
    goto *(&&push + offset[*code++]);
push:
    stack[top++] = *code++;
    goto *(&&push + offset[*code++]);
add:
    top--;
    stack[top - 1] += stack[top];
    goto *(&&push + offset[*code++]);
halt:
    return stack[top - 1];
}

int main(void)
{
    static const unsigned char code[] = { 0, 20, 0, 22, 1, 2 };
    printf("%d\n", interpret(code));
    return 0;
}
