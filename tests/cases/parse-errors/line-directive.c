// expect: exit 3
// expect: stderr original.y:41:
#line 41 "original.y"
int main(void) { return nothing; }
