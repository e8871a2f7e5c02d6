// expect: last exited with status 255
int main(void) { return -1; }
