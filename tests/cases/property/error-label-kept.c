// args: run --error-label ERR
// expect: last exited with status 0
int main(void) { int x = 1; if (x == 0) goto ERR; return 0; ERR: return 1; }
