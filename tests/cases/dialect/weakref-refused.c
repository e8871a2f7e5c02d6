// args: check
// expect: exit 3
// expect: stderr weakref
extern int chosen(void);
static int maybe(void) __attribute__((weakref("chosen")));
int main(void) { return maybe != 0; }
