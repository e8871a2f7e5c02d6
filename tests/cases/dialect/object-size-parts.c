// args: run
// expect: exit 0
// gcc: yes
#include <stdio.h>

struct s { char a; char arr[6]; int z[2]; } s;
char buf[10], two[3][4];

#define SHOW(e) printf("%zd %zd %zd %zd\n", __builtin_object_size(e, 0), __builtin_object_size(e, 1), \
                       __builtin_object_size(e, 2), __builtin_object_size(e, 3));

int main(void)
{
    struct s *p = &s;
    SHOW(&buf[3]) SHOW(buf + 3) SHOW(&s.arr[2]) SHOW(s.arr + 2) SHOW((char *)&s + 2) SHOW(p->arr) SHOW(&p->arr[1])
    SHOW("abc" + 1) SHOW(&s.z[1]) SHOW(two[1]) SHOW(&two[1][2]) SHOW(&two[1]) SHOW(&"hello"[2]) SHOW(&s.arr) SHOW(&s + 1)
    return 0;
}
