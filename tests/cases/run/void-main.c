// expect: last exited with status 0
int x;
int main(void) { x = 3; }
