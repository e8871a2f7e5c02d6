// expect: exit 3
// expect: stderr alignof-typedef.c:6:
// expect: stderr the type may stand for a typedef with one of its own
typedef int wide __attribute__((aligned(16)));
static wide *p;
int main(void) { return __alignof__(*p); }
