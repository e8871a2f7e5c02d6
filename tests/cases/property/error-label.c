// args: run --error-label ERR
// expect: exit 1
// verdict: FALSE(unreach-label)
// expect: stdout violated: error-label
int main(void) { int x = 0; if (x == 0) goto ERR; return 0; ERR: return 1; }
