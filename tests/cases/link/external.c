// args: run --inputs external.txt
// expect: last exited with status 12
// An external function and object: both are inputs.
extern int unknown(int);
extern int setting;
int main(void) { return unknown(3) + setting; }
