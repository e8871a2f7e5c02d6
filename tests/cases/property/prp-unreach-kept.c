// args: run --property unreach.prp
// expect: last exited with status 0
void reach_error() { }
int main(void) { int x = 3; if (x == 4) reach_error(); return 0; }
