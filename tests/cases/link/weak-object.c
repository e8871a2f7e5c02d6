// args: run
// expect: exit 2
// expect: stdout not supported: a weak object that no file defines: limit

extern int limit __attribute__((weak));

int main(void) { return &limit ? limit : 3; }
