// expect: exit 3
// expect: stderr typeof-typedef-member.c:6:
// expect: stderr the alignment of this member is not known
typedef int wide __attribute__((aligned(16)));
static wide *p;
struct pair { char first; __typeof__(*p) second; };
int main(void) { return sizeof(struct pair); }
