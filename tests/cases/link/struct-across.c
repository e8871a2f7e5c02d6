// files: struct-across.part
// gcc: yes
#include <stdio.h>
struct p { int x, y; };
struct p make(int);
int main(void) { struct p p = make(4); printf("%d %d\n", p.x, p.y); return 0; }
